// Second factors as the pages of this folder use them.
import { post } from '$/api/client';
import type { components } from '$/api/schema';
import { signWithPasskey, type Signed } from '$/session/passkeys';

export type Factor = components['schemas']['Factor'];

/** A fresh proof that it is the user, and not only their session. */
export type FactorProof = { otp: string } | { passkey: Signed };
export type PersonProof = { current_password: string } | { passkey: Signed };

export async function proveWithPasskey(): Promise<{ passkey: Signed }> {
  const { data } = await post('/api/v1/factors/challenge', undefined);
  return { passkey: await signWithPasskey(data.data) };
}
