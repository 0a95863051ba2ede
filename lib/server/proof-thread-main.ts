import { runProofThread } from './run-proof-thread';

await runProofThread();
