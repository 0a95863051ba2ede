import type { Role } from '@/lib/authority/roles';

export type DemoPerson = { readonly name: string; readonly email: string; readonly role: Role; readonly groups: readonly string[] };

const everyGroup = ['approver', 'data-owner', 'finance'];

/**
 * Who works at the harbour office. Two approvers, because a payment over the limit needs two people; the requester, whom the
 * agents work for, is in no group, so that nobody approves what was done in their own name. The first is the owner.
 */
export const demoPeople: readonly [DemoPerson, ...DemoPerson[]] = [
  { name: 'Olga Lindqvist', email: 'owner@harbor.example', role: 'owner', groups: [] },
  { name: 'Adam Okafor', email: 'admin@harbor.example', role: 'admin', groups: [] },
  { name: 'Priya Raman', email: 'approver@harbor.example', role: 'approver', groups: everyGroup },
  { name: 'Tomas Weber', email: 'second.approver@harbor.example', role: 'approver', groups: everyGroup },
  { name: 'Ines Carvalho', email: 'auditor@harbor.example', role: 'auditor', groups: [] },
  { name: 'Rita Holm', email: 'requester@harbor.example', role: 'requester', groups: [] },
];

export const demoAdmin = 'admin@harbor.example';
export const demoRequester = 'requester@harbor.example';
