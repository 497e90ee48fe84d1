// A real provider of OpenID Connect for the tests: one client, and users who are whoever they say they are.
import { createInterface } from 'node:readline';
import Provider from 'oidc-provider';

const { issuer, port, clients } = JSON.parse(process.argv[2]);

/** What each user is known by, besides a verified address of their own. */
const told = {};
const account = (name) => ({
  accountId: name,
  claims: () => ({ sub: name, email: `${name}@provider.example`, email_verified: true, groups: [], ...told[name] }),
});

// Tests say by lines on standard input what is different about somebody.
createInterface({ input: process.stdin }).on('line', (line) => {
  Object.assign(told, JSON.parse(line));
  console.log('heard');
});

const provider = new Provider(issuer, {
  clients,
  claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
  scopes: ['openid', 'email', 'profile', 'groups', 'offline_access'],
  findAccount: (_ctx, id) => account(id),
  pkce: { required: () => true },
  features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
  // Consent is given at once: the tests are about us.
  loadExistingGrant: async (ctx) => {
    const grant = new ctx.oidc.provider.Grant({
      clientId: ctx.oidc.client.clientId,
      accountId: ctx.oidc.session.accountId,
    });
    grant.addOIDCScope('openid email profile groups');
    await grant.save();
    return grant;
  },
  // It guards itself against loopback addresses, where our test servers are.
  fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined }),
  cookies: { keys: ['a key of tests'] },
});
provider.on('server_error', (_ctx, error) => console.error(error));
provider.listen(port, '127.0.0.1', () => console.log('ready'));
