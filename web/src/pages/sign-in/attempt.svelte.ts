// Signs in by a password, a link, a provider or a proxy, and then by a second factor if the user has one.
import { Refused } from '$/api/client';
import { signWithPasskey, type PasskeyRequest } from '$/session/passkeys';
import type { SecondFactor } from '$/session/session.svelte';

/** Sends the first proof, such as a password, and the second factor once there is one. */
export type SignIn = (second: SecondFactor) => Promise<void>;

export class SignInAttempt {
  /** After the first proof was accepted: the second factors of which one is missing. */
  missing: string[] = $state.raw([]);
  /** What a passkey has to sign as the second factor; it works once. */
  #challenge: PasskeyRequest | null = null;
  #signIn: SignIn = () => Promise.resolve();

  /** False when a second factor is missing. */
  async begin(signIn: SignIn): Promise<boolean> {
    this.#signIn = signIn;
    try {
      await signIn({});
      return true;
    } catch (error) {
      if (!(error instanceof Refused && error.fields.otp)) throw error;
      this.missing = (error.meta.second_factors as string[] | undefined) ?? ['totp'];
      this.#challenge = (error.meta.public_key as PasskeyRequest | null | undefined) ?? null;
      return false;
    }
  }

  finish(second: SecondFactor): Promise<void> {
    return this.#signIn(second);
  }

  async finishWithPasskey(): Promise<void> {
    if (!this.#challenge) await this.begin(this.#signIn);
    const options = this.#challenge!;
    this.#challenge = null;
    await this.finish({ passkey: await signWithPasskey(options) });
  }
}
