import path from 'node:path';
import { planeFlags } from '@/lib/cli/plane-flags';
import type { Program } from '@/lib/cli/supervisor/program';
import type { Plan } from '@/lib/cli/supervisor/supervise';
import type { Environment } from '@/lib/server/env';

export type Mode = 'start' | 'dev' | 'demo';

type Parts = Pick<Plan, 'env' | 'before' | 'services' | 'followers' | 'after'>;

/** The programs that make up Countersign, and what they are told. Paths are relative to the repository's root. */
export function productPlan(mode: Mode, settings: Environment, sessionSecret: string): Parts {
  const env = {
    COUNTERSIGN_STATE: settings.stateDirectory,
    HOST: settings.host,
    PORT: String(settings.consolePort),
    PLANE_PORT: String(settings.planePort),
    NEXTAUTH_URL: settings.consoleUrl,
    NEXT_TELEMETRY_DISABLED: '1',
    NODE_ENV: mode === 'dev' ? 'development' : 'production',
  };
  const services = [plane(mode, settings), consoleProgram(mode, settings, sessionSecret)];
  if (mode !== 'demo') return { env, before: [], services, followers: [], after: [setUpLink] };
  return {
    env,
    before: [{ name: 'demo', args: ['.build/demo.mjs', 'setup'] }],
    services,
    followers: [{ name: 'agent', args: ['.build/demo-agent.mjs'] }],
    after: [{ name: 'demo', args: ['.build/demo.mjs', 'finish'], speaks: true }],
  };
}

/** Prints a one-time link while there is no owner yet, and nothing afterwards. */
const setUpLink: Program = { name: 'set-up', args: ['.build/countersign.mjs', 'set-up-link', '--quiet'], speaks: true };

function plane(mode: Mode, settings: Environment): Program {
  const args = mode === 'dev' ? ['node_modules/tsx/dist/cli.mjs', 'watch', 'lib/plane/main.ts'] : [...planeFlags, '.build/plane.mjs'];
  return { name: 'plane', args, healthUrl: `${planeUrl(settings)}/healthz` };
}

function consoleProgram(mode: Mode, settings: Environment, sessionSecret: string): Program {
  const next = path.join('node_modules', 'next', 'dist', 'bin', 'next');
  const listen = ['--hostname', settings.host, '--port', String(settings.consolePort)];
  return {
    name: 'console',
    args: [next, mode === 'dev' ? 'dev' : 'start', ...listen],
    // Only the console seals sessions; the plane has no use for the key.
    env: { NEXTAUTH_SECRET: sessionSecret },
    healthUrl: `http://${reachable(settings.host)}:${String(settings.consolePort)}/api/health`,
  };
}

export const planeUrl = (settings: Environment): string => `http://${reachable(settings.host)}:${String(settings.planePort)}`;

/** An address that means "every interface" cannot be called; the loopback one is among them. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
