// Asks the browser to make passkeys and to sign with them, and says in plain words why it did not.
import { seldom } from '$/messages/seldom';
import type { components } from '$/api/schema';

type PasskeyCreation = components['schemas']['PasskeyCreation'];
/** What the browser is asked to sign with a passkey. */
export type PasskeyRequest = components['schemas']['PasskeyRequest'];

/** What the API takes: the credential as JSON. */
export interface Signed {
  id: string;
  response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string };
}
export interface Made {
  id: string;
  response: { clientDataJSON: string; attestationObject: string; transports: string[] };
}

/** Why passkeys do not work here; `instead` is an address where they do. */
export interface Hindrance {
  reason: string;
  instead: string | null;
}

/** The browser gave no passkey; the message says what to do. */
export class NoPasskey extends Error {}

const LOOPBACK = /^(127(\.\d+){3}|\[::1\])$/;
const NUMBERS = /^(\d+(\.\d+){3}|\[.*\])$/;

export function encode(bytes: ArrayBuffer): string {
  const letters = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export function decode(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

/** Null where passkeys work. */
export function findHindrance(
  at: Pick<Location, 'hostname' | 'href'> = location,
  knowsPasskeys = 'PublicKeyCredential' in globalThis,
  isSecure = globalThis.isSecureContext,
): Hindrance | null {
  const words = seldom.factors.passkeys;
  if (LOOPBACK.test(at.hostname)) {
    const instead = new URL(at.href);
    instead.hostname = 'localhost';
    return { reason: words.needName, instead: instead.href };
  }
  if (NUMBERS.test(at.hostname) || !isSecure) return { reason: `${words.needHttps} ${words.ownerHint}`, instead: null };
  return knowsPasskeys ? null : { reason: words.unsupported, instead: null };
}

export async function makePasskey(options: PasskeyCreation): Promise<Made> {
  const made = await ask(() =>
    navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: decode(options.challenge),
        user: { ...options.user, id: decode(options.user.id) },
        excludeCredentials: options.excludeCredentials.map(toDescriptor),
      },
    }),
  );
  const response = made.response as AuthenticatorAttestationResponse;
  return {
    id: made.id,
    response: {
      clientDataJSON: encode(response.clientDataJSON),
      attestationObject: encode(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  };
}

export async function signWithPasskey(options: PasskeyRequest): Promise<Signed> {
  const signed = await ask(() =>
    navigator.credentials.get({
      publicKey: {
        ...options,
        challenge: decode(options.challenge),
        allowCredentials: options.allowCredentials.map(toDescriptor),
      },
    }),
  );
  const response = signed.response as AuthenticatorAssertionResponse;
  return {
    id: signed.id,
    response: {
      clientDataJSON: encode(response.clientDataJSON),
      authenticatorData: encode(response.authenticatorData),
      signature: encode(response.signature),
      ...(response.userHandle ? { userHandle: encode(response.userHandle) } : {}),
    },
  };
}

function toDescriptor(one: components['schemas']['CredentialName']): PublicKeyCredentialDescriptor {
  return { type: one.type, id: decode(one.id), transports: one.transports as AuthenticatorTransport[] };
}

async function ask(browser: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  const hindrance = findHindrance();
  if (hindrance) throw new NoPasskey(hindrance.reason);
  try {
    const given = await browser();
    if (given) return given as PublicKeyCredential;
  } catch (error) {
    throw new NoPasskey(explain(error instanceof DOMException ? error.name : ''));
  }
  throw new NoPasskey(seldom.factors.passkeys.failed);
}

/** Browsers do not tell cancelling, waiting too long and having none apart: pages must not learn which. */
export function explain(name: string): string {
  const words = seldom.factors.passkeys;
  const known: Record<string, string> = {
    NotAllowedError: words.cancelled,
    AbortError: words.cancelled,
    InvalidStateError: words.exists,
    SecurityError: words.elsewhere,
    NotSupportedError: words.unsupported,
  };
  return known[name] ?? words.failed;
}
