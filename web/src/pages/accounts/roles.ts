// The roles of asset accounts.

/** Accounts that are valued by hand. */
export const VALUED_ROLES = ['propertyAsset', 'vehicleAsset', 'investmentAsset'] as const;
export const ROLES = [
  'defaultAsset',
  'savingAsset',
  'sharedAsset',
  'ccAsset',
  'cashWalletAsset',
  ...VALUED_ROLES,
] as const;
