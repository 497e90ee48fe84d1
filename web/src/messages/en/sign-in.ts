// Messages of signing in and the first run.
export const signInPages = {
  signIn: {
    title: 'Sign in',
    email: 'E-mail',
    password: 'Password',
    passwordHint: 'At least 8 characters.',
    submit: 'Sign in',
    second: 'One more step: confirm that it is you.',
    code: 'Code',
    codeHint: 'From your authenticator app, or a recovery code.',
    recoveryCode: 'Recovery code',
    recoveryCodeHint: 'One of the recovery codes you saved.',
    passkey: 'Use a passkey',
    orCode: 'Or use a code:',
    withLink: 'Signing in with your link …',
    linkFailed:
      'This link no longer works. Sign in with your password, or create a new link with `farthing user sign-in-link`.',
    linkFailedHere: 'This link no longer works. You are still signed in.',
    continueWith: (name: string) => `Continue with ${name}`,
    continueByProxy: 'Continue without a password',
    comingIn: 'Signing in …',
    stillIn: 'You are signed out here, but still signed in at the provider.',
    signOutThere: 'Sign out there, too',
    forgotten: 'Forgot your password?',
    forgottenHelp:
      'Ask the person who runs this installation for a new one. If that is you, this command on the server prints it:',
    you: 'you@example.org',
    expired: 'You were signed out. Sign in to continue where you left off.',
  },
  firstRun: {
    title: 'Welcome to Farthing',
    lead: 'Create the first user. You will be the owner of this installation.',
    openLink:
      'To create the first user, open the link that the server printed on its terminal, or wrote to the file first-run-link.txt in its data folder. It looks like this:',
    currency: 'Your main currency',
    region: (language: string, zone: string, currency: string) => `${language}, ${zone}, ${currency}.`,
    change: 'Change',
    submit: 'Get started',
    bring: 'Bring your data',
    bringHint: 'If you have files from your bank or another program, start with them.',
  },
};
