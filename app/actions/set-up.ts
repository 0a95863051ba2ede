'use server';

import { completeSetUpInput, prepareSetUpInput } from '@/lib/contracts/console/set-up';
import { defineSetUpAction } from '@/lib/server/define-action';
import { completeSetUp as complete } from '@/lib/services/console/complete-set-up';
import { prepareSetUp as prepare } from '@/lib/services/console/prepare-set-up';

export const prepareSetUp = defineSetUpAction({ input: prepareSetUpInput, handler: prepare });

export const completeSetUp = defineSetUpAction({ input: completeSetUpInput, handler: complete });
