import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { analyseCommand } from './analyse-command';

const shells = ['/bin/bash', '/bin/dash'].filter((shell) => fs.existsSync(shell));
const stubs = ['aa', 'bb', 'rm'];
const helpers = ['env', 'timeout', 'nice', 'nohup', 'xargs', 'find'];

let folder = '';
let runs = 0;

/** The only programs in reach write their name into a log; the wrappers are the machine's own. */
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'countersign-shell-'));
  fs.mkdirSync(path.join(folder, 'bin'));
  fs.mkdirSync(path.join(folder, 'work'));
  for (const name of stubs) fs.writeFileSync(path.join(folder, 'bin', name), `#!/bin/sh\necho ${name} >> "$LOGFILE"\n`, { mode: 0o755 });
  for (const name of helpers) {
    const real = ['/usr/bin', '/bin'].map((place) => path.join(place, name)).find((file) => fs.existsSync(file));
    if (real !== undefined) fs.symlinkSync(real, path.join(folder, 'bin', name));
  }
  fs.symlinkSync('/bin/sh', path.join(folder, 'bin/sh'));
});

afterAll(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

function started(shell: string, command: string): readonly string[] {
  const log = path.join(folder, `log-${String(runs++)}`);
  const env = { PATH: path.join(folder, 'bin'), LOGFILE: log, HOME: folder, NODE_ENV: 'test' as const };
  spawnSync(shell, ['-c', command], { cwd: path.join(folder, 'work'), env, timeout: 2000, stdio: ['ignore', 'ignore', 'ignore'] });
  return fs.existsSync(log) ? fs.readFileSync(log, 'utf8').split('\n').filter((name) => name !== '') : [];
}

const program = fc.constantFrom('aa', 'bb', 'rm', 'r""m', "'rm'", '\\rm', 'r\\\nm', '$"rm"', "$'rm'");
const argument = fc.constantFrom('x', '"a b"', "'c;rm'", '"$(rm)"', '`rm`', '<(bb)', '--', '\\;', '#c', '2>&1', '>o', '<<<x', '"\\$(rm)"', '\\\nrm');
const simple = fc.tuple(program, fc.array(argument, { maxLength: 2 })).map(([name, rest]) => [name, ...rest].join(' '));
const prefix = fc.constantFrom('env', 'env A=1', 'timeout 1', 'timeout -k 1 1', 'nice -n 5', 'nohup', 'command', 'exec', 'time', '!', 'eval', 'find . -maxdepth 0 -exec');
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const commands = fc.letrec<{ line: string }>((tie) => ({
  line: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    simple,
    fc.tuple(prefix, simple).map(([before, inner]) => `${before} ${inner}${before.startsWith('find') ? ' \\;' : ''}`),
    fc.tuple(tie('line'), fc.constantFrom('&&', '||', '|', ';', '\n', '|&'), tie('line')).map((parts) => parts.join(' ')),
    fc.tuple(fc.constantFrom('sh -c', 'env sh -c', 'eval', 'trap'), tie('line')).map(([before, inner]) => `${before} ${quoted(inner)}${before === 'trap' ? ' EXIT' : ''}`),
    tie('line').map((inner) => `(${inner})`),
    tie('line').map((inner) => `aa # ${inner}\n${inner}`),
    fc.tuple(tie('line'), tie('line')).map(([condition, inner]) => `if ${condition}\nthen ${inner}\nfi`),
    tie('line').map((inner) => `aa <<E\n$(${inner})\nE\n`),
  ),
})).line;
const mutation = fc.tuple(fc.nat(), fc.constantFrom('', '', '', '"', "'", '\\', '\n', '#', ';', '`', '(', '{', '&', '<', '!'));

describe.skipIf(shells.length === 0)('against real shells', () => {
  test('whatever a shell starts is among the programs, or the command is opaque', () => {
    let seen = 0;
    fc.assert(
      fc.property(commands, mutation, (line, [at, character]) => {
        const where = at % (line.length + 1);
        const command = line.slice(0, where) + character + line.slice(where);
        const analysis = analyseCommand(command);
        if (analysis.opaque) return;
        const names = analysis.programs.map((one) => one.name);
        for (const shell of shells) {
          for (const name of started(shell, command)) {
            seen++;
            expect([shell, command, names]).toEqual([shell, command, expect.arrayContaining([name])]);
          }
        }
      }),
      // A fixed seed: what another one finds belongs into a run made for finding, not into somebody else's change.
      { numRuns: 250, seed: 3, endOnFailure: true },
    );
    // The property means nothing when nothing ran.
    expect(seen).toBeGreaterThan(50);
  }, 60_000);
});
