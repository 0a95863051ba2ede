import { enrolKey, openHeld, signApproval } from './approvals-page';
import { present, readDemo, type Demo } from './demo';
import { test } from './fixture';
import { change } from './held-work';
import { processesOf, startProduct } from './product';
import { runAgent } from './run-agent';
import { signInAs } from './sign-in';

test('a stop and a start, and a killed plane, lose nothing that waits', async ({ openBrowser, place, mayComplain }) => {
  test.setTimeout(240_000);
  // While it is down pages cannot reach it.
  mayComplain(/ERR_|Failed to fetch|Failed to load resource/);
  let demo = await readDemo(await startProduct('demo', place));
  try {
    const [first, second] = [await waitingAgent(demo), await waitingAgent(demo)];
    const page = await openBrowser();
    await signInAs(page, demo.console, demo.person('approver'));
    await openHeld(page, demo.console, first.approval);
    await enrolKey(page);

    await test.step('stopped and started: what was held is still held, and the agent that waits gets its permit', async () => {
      await demo.stop();
      demo = await readDemo(await startProduct('demo', place));
      await openHeld(page, demo.console, first.approval);
      await signApproval(page, 'Small enough.');
      await first.agent.when('executed');
    });

    await test.step('the plane killed: the approval is taken, and the permit follows when the plane is back', async () => {
      await openHeld(page, demo.console, second.approval);
      process.kill(await planeProcess(demo), 'SIGKILL');
      await signApproval(page, 'Small enough.');
      await second.agent.when('executed');
      await second.agent.when('reported');
    });
  } finally {
    await demo.stop();
  }
});

async function waitingAgent(demo: Demo) {
  const agent = runAgent(demo, 'harbor-assistant', await demo.openSession(change.session), change.proposal);
  return { agent, approval: present((await agent.when('proposed')).action?.approval, 'approval').id };
}

async function planeProcess(demo: Demo): Promise<number> {
  const found = (await processesOf(demo.stateDirectory)).find((line) => line.includes('.build/plane.mjs'));
  return Number(present(found, 'plane process').split(' ')[0]);
}
