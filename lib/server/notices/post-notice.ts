import { fail, ok, type Result } from '@/lib/shared/result';

import { postBytes, type PostFault, type ServiceAddress } from '../post-json';

/** An answer is read no further than this: only its status counts. */
const answerBytes = 64 * 1024;

/** Posts JSON. Any 2xx means that it was taken; a redirect is a failure like any other, and followed by nobody. Failures: `unavailable`. */
export async function postNotice(address: Omit<ServiceAddress, 'token'>, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Result<null>> {
  const posted = await postBytes({ ...address, token: undefined }, Buffer.from(body), { 'content-type': 'application/json', ...headers }, answerBytes);
  if ('fault' in posted) return fail('unavailable', inWords[posted.fault]);
  return posted.status >= 200 && posted.status < 300 ? ok(null) : fail('unavailable', `It answered ${String(posted.status)}.`);
}

const inWords: Readonly<Record<PostFault, string>> = {
  not_allowed: 'It is not at a public, encrypted address, and nobody allowed that.',
  late: 'It did not answer in time.',
  unreachable: 'It could not be reached.',
  too_large: 'It answered with too much.',
};
