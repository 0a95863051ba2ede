import type { ScenarioMaker } from '../scenario';
import { attacks } from './attacks';
import { honestWork } from './honest-work';
import { mistakes } from './mistakes';

/** In the order of the day. What is held comes early, so that whoever opens the console finds something to decide. */
export const allScenarios: readonly ScenarioMaker[] = [
  honestWork.closeOrders,
  honestWork.tugBill,
  honestWork.ownTestData,
  attacks.dictatedByMail,
  honestWork.craneOverhaul,
  mistakes.restartDisplay,
  honestWork.whoseRehearsal,
  honestWork.cancelledStandup,
  honestWork.reorderList,
  attacks.changedAccount,
  mistakes.wholeTable,
  mistakes.courierList,
  honestWork.sharedPlan,
  attacks.urgentDrop,
  mistakes.hiddenCopy,
  mistakes.wrongFolder,
  attacks.almostJonas,
  honestWork.pilotBriefing,
  mistakes.someoneElsesReports,
  honestWork.tideTable,
];
