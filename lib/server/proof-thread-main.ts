import { runProofThread } from './run-proof-thread';

runProofThread();
