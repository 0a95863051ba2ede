import path from 'node:path';
import { z } from 'zod';

import { checkEmbeddings, embeddingsFields, embeddingsSettings, type EmbeddingsSettings } from './embeddings-settings';
import { guardSettings, type AttachedGuard } from './guard-directory/guard-settings';
import { checkNotices, noticeFields, noticeSettings, type NoticeSettings } from './notices/notice-settings';
import {
  checkpointKmsSettings, checkpointWebhookSettings, checkSigning, keySettings, signingFields, type CheckpointKmsSettings, type CheckpointWebhookSettings, type KeySettings,
} from './signing-settings';

/** Settings of a process, read from the environment once. `.env.example` lists them for people. */
export type Environment = {
  /** Address both listeners bind. */
  readonly host: string;
  readonly consolePort: number;
  readonly planePort: number;
  /** Absolute path; holds the embedded database, pins and secrets. */
  readonly stateDirectory: string;
  /** Undefined: the embedded server of the state directory. The supervisor sets it for its children. */
  readonly databaseUrl: string | undefined;
  /** Fingerprint of the trust root, for a process without a pin file. */
  readonly rootPin: string | undefined;
  /** Where people reach the console; links and the check of origins use it. No slash at the end. */
  readonly consoleUrl: string;
  /** Encrypts console sessions. Undefined outside the console. */
  readonly sessionSecret: string | undefined;
  /** A file that says where information points are asked. Undefined: none is, they supply by themselves. */
  readonly informationPoints: string | undefined;
  /** A file of addresses, accounts and domains that nothing may go to: a decision point of its own. Undefined: there is none. */
  readonly blocklist: string | undefined;
  /** Undefined: semantic distance is measured by words, and nothing is asked. */
  readonly embeddings: EmbeddingsSettings | undefined;
  /** Undefined: the process's own key is the one in the state directory. */
  readonly consoleKey: KeySettings | undefined;
  readonly planeKey: KeySettings | undefined;
  /** Undefined: the plane signs checkpoints with its own key, one with each commit. */
  readonly checkpointKms: CheckpointKmsSettings | undefined;
  /** Absolute path of the file that always holds the newest checkpoint. Undefined: none is written. */
  readonly checkpointFile: string | undefined;
  readonly checkpointWebhook: CheckpointWebhookSettings | undefined;
  readonly notices: NoticeSettings;
  /** State directories of two-directory guards that the console watches and may apply proposals in. */
  readonly guardDirectories: readonly AttachedGuard[];
  readonly logLevel: LogLevel;
};

export type LogLevel = (typeof logLevels)[number];

const logLevels = ['debug', 'info', 'warn', 'error'] as const;

const port = z.coerce.number().int().min(1).max(65_535);
const text = z.string().min(1);

/** A setting that is set to nothing counts as unset: that is how `.env` files and containers say "default". */
const settings = z.object({
  HOST: text.default('127.0.0.1'),
  PORT: port.default(3000),
  PLANE_PORT: port.default(3181),
  COUNTERSIGN_STATE: text.default('.countersign'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  COUNTERSIGN_PIN: text.optional(),
  NEXTAUTH_URL: z.url({ protocol: /^https?$/ }).optional(),
  NEXTAUTH_SECRET: text.min(32, 'must have at least 32 characters').optional(),
  INFORMATION_POINTS: text.optional(),
  BLOCKLIST: text.optional(),
  COUNTERSIGN_GUARD_DIRS: text.optional(),
  ...embeddingsFields,
  ...signingFields,
  ...noticeFields,
  LOG_LEVEL: z.enum(logLevels).default('info'),
}).superRefine((found, context) => {
  const fault = (name: string, message: string): void => context.addIssue({ code: 'custom', path: [name], message });
  checkEmbeddings(found, fault);
  checkSigning(found, fault);
  checkNotices(found, fault);
  const guards = guardSettings(found.COUNTERSIGN_GUARD_DIRS);
  if (typeof guards === 'string') fault('COUNTERSIGN_GUARD_DIRS', guards);
});

/** Reads the settings out of an environment. Throws with every fault in it, by name: a process with half a configuration must not start. */
export function parseEnvironment(source: Readonly<Record<string, string | undefined>>): Environment {
  const set = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = settings.safeParse(set);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`Settings that cannot be used:\n${faults.join('\n')}\nSee .env.example.`);
  }
  const found = parsed.data;
  const guards = guardSettings(found.COUNTERSIGN_GUARD_DIRS);
  return {
    host: found.HOST,
    consolePort: found.PORT,
    planePort: found.PLANE_PORT,
    stateDirectory: path.resolve(/* turbopackIgnore: true */ found.COUNTERSIGN_STATE),
    databaseUrl: found.DATABASE_URL,
    rootPin: found.COUNTERSIGN_PIN,
    consoleUrl: (found.NEXTAUTH_URL ?? `http://localhost:${String(found.PORT)}`).replace(/\/+$/, ''),
    sessionSecret: found.NEXTAUTH_SECRET,
    informationPoints: found.INFORMATION_POINTS,
    blocklist: found.BLOCKLIST,
    embeddings: embeddingsSettings(found),
    consoleKey: keySettings(found, 'CONSOLE'),
    planeKey: keySettings(found, 'PLANE'),
    checkpointKms: checkpointKmsSettings(found),
    checkpointFile: found.CHECKPOINT_FILE === undefined ? undefined : path.resolve(/* turbopackIgnore: true */ found.CHECKPOINT_FILE),
    checkpointWebhook: checkpointWebhookSettings(found),
    notices: noticeSettings(found),
    guardDirectories: typeof guards === 'string' ? [] : guards,
    logLevel: found.LOG_LEVEL,
  };
}

let read: Environment | undefined;

/** The settings of this process. */
export function environment(): Environment {
  read ??= parseEnvironment(process.env);
  return read;
}
