import { runCommitThread } from '@/lib/server/run-commit-thread';

await runCommitThread();
