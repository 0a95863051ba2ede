import { runCompareThread } from '@/lib/server/run-compare-thread';

runCompareThread();
