import { effects, type Effect, type Impact } from '@/lib/mediate/catalogue';

/** What a verb in the name of a tool says that the tool does. */
export type Deed = { readonly effect: Effect; readonly impact: Impact };

const usual: Readonly<Record<Effect, Impact>> = { read: 'low', write: 'medium', communicate: 'medium', execute: 'high', destructive: 'high', spend: 'high', grant: 'critical' };

const families: Readonly<Record<Effect, string>> = {
  read: 'get list read search find fetch show view look lookup query retrieve count calculate compute describe summarize summarise compare track monitor scan browse inspect analyze analyse detect validate verify estimate convert translate explain see download load extract parse identify recommend suggest classify is has can exists current who what whoami status diff tail filter sort predict evaluate assess measure quote history think wait done help display preview examine check receive enumerate obtain provide gather collect navigate visit goto watch listen hear',
  write: 'create add new make update edit modify change set rename move copy insert append put save store write upload import register draft log record mark label tag archive restore schedule reschedule plan arrange complete resolve reopen assign unassign link attach apply adjust fill upsert sync star pin follow like rate increment toggle mute pause resume configure commit merge rebase submit note correct fix alter manipulate override replace customize optimize generate enter map manage bookmark rearrange reorder connect pair reseat request raise lower increase decrease bump swap',
  destructive: 'delete remove erase purge drop clear wipe cancel discard trash destroy uninstall revoke terminate kill shutdown reset unsubscribe reject decline truncate empty leave kick ban block detach disconnect unlink corrupt disrupt delay suspend deactivate expire abort',
  communicate: 'send email mail message reply forward post publish tweet comment notify announce say broadcast text sms contact tell respond dm escalate alert call phone dial transmit relay leak disclose feedback remind',
  execute: 'run execute exec start stop restart reboot launch deploy trigger invoke open close turn switch activate enable disable control operate install upgrade eval shell arm print dispense power boot stage scale rollback inject hijack play dim',
  grant: 'share let admit invite grant permit authorize authorise approve allow promote elevate unlock disarm enroll enrol delegate impersonate whitelist trust accept',
  spend: 'pay transfer buy purchase order book reserve rent subscribe donate refund exchange withdraw deposit charge invest trade sell bid tip checkout wire remit settle redeem recharge refuel topup top spend hire return stake borrow lend loan',
};

/** Words that are as often things as deeds: another verb beside them says what is done. */
const oftenThings = new Set('email mail message order post text call book schedule record comment report transfer log note label tag list draft share test link check quote charge deposit exchange rate mark pin star return plan track phone status history alert contact trade print map report feedback trust current view return set top loan bid store query power stage scale switch control like history help save wire play sms rent load block filter sort apply note forward count preview open new display request'.split(' '));

const byVerb = new Map<string, Deed>();
for (const effect of effects) for (const word of families[effect].split(' ')) byVerb.set(word, { effect, impact: usual[effect] });

export const deedOf = (verb: string): Deed | undefined => byVerb.get(verb);
export const usualDeed = (effect: Effect): Deed => ({ effect, impact: usual[effect] });
export const isOftenThing = (word: string): boolean => oftenThings.has(word);

/** "Deletes", "deleting" and "deleted" as "delete", where that is a verb here. */
export function baseForm(word: string): string {
  const candidates = [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y'), word.replace(/ing$/, ''), word.replace(/ing$/, 'e'), word.replace(/(.)\1ing$/, '$1'), word.replace(/(.)\1ed$/, '$1')];
  return candidates.find((one) => byVerb.has(one)) ?? word;
}
