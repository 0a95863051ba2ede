import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { filesBelow, fingerprint, isStamped, present, writeStamp } from './fingerprint.mjs';
import { log } from './log.mjs';
import { packagesFingerprint } from './packages.mjs';
import { inRoot } from './paths.mjs';

const stamp = '.build/.verifier-stamp';
const made = '.build/verifier.html';

/**
 * The verifier as one HTML file: page, styles, engine and worker. Its content policy names its script and its styles by hash and forbids
 * every network, so the file can be opened from a disk and passed on. The same sources give the same bytes.
 */
export async function bundleVerifier() {
  const sources = ['app/styles', 'components', 'lib'].flatMap(filesBelow);
  const wanted = fingerprint([...sources, ...present('app/globals.css', 'tsconfig.json')], packagesFingerprint());
  if (isStamped(stamp, wanted) && fs.existsSync(inRoot(made))) return;
  log('bundling the verifier');
  const [script, styles] = await Promise.all([bundleScript(), bundleStyles()]);
  fs.mkdirSync(inRoot('.build'), { recursive: true });
  // Another process may be reading the file of before.
  fs.writeFileSync(inRoot(`${made}.new`), pageOf(script, styles));
  fs.renameSync(inRoot(`${made}.new`), inRoot(made));
  writeStamp(stamp, wanted);
}

async function bundleScript() {
  const { build, stop } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: inRoot(),
    entryPoints: ['components/verify/verifier-file.tsx'],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    target: ['es2022', 'chrome120', 'firefox130', 'safari17'],
    minify: true,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    // Links of the console lead nowhere from a file.
    alias: { 'next/link': inRoot('components/verify/plain-link.tsx') },
    plugins: [englishOnly],
    legalComments: 'none',
    logLevel: 'warning',
  });
  stop();
  // What could end or hide the script element, should a library hold it: the same text in other letters.
  return outputFiles[0].text.replaceAll('<!--', '\\x3C!--').replaceAll(/<\/(script)/gi, '\\x3C/$1');
}

/** Zod brings its messages in fifty languages, of which nothing here is shown; they would be a sixth of the file. */
const englishOnly = {
  name: 'english-only',
  setup(bundler) {
    bundler.onResolve({ filter: /\/locales\/index\.js$/ }, ({ path: wanted, resolveDir }) =>
      /[\\/]node_modules[\\/]zod[\\/]/.test(resolveDir) ? { path: path.resolve(resolveDir, path.dirname(wanted), 'en.js') } : undefined,
    );
  },
};

async function bundleStyles() {
  const [{ default: postcss }, { default: tailwind }] = await Promise.all([import('postcss'), import('@tailwindcss/postcss')]);
  const from = inRoot('app/globals.css');
  const { css } = await postcss([tailwind({ base: inRoot(), optimize: { minify: true } })]).process(fs.readFileSync(from, 'utf8'), { from, map: false });
  if (/<\/style/i.test(css)) throw new Error('The styles would end their own element.');
  return css;
}

const sha256 = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function pageOf(script, styles) {
  const policy = [
    `default-src 'none'`, `script-src ${sha256(script)}`, `style-src ${sha256(styles)}`, `style-src-attr 'none'`, 'worker-src blob:', `base-uri 'none'`, `form-action 'none'`,
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="referrer" content="no-referrer">
<title>Countersign verifier</title>
<style>${styles}</style>
</head>
<body>
<div id="verifier"></div>
<main id="claims"></main>
<script type="text/plain" id="bundle"></script>
<script>${script}</script>
</body>
</html>
`;
}
