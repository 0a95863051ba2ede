'use client';

import { startVerifyWorker } from '@/lib/client/start-verify-worker';

import { VerifyScreen } from './verify-screen';

/** The verifier as a page of the console: its worker is one of the page's own files. */
export function HostedVerifier() {
  return <VerifyScreen startWorker={startVerifyWorker} embedded={null} />;
}
