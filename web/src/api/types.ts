// Short names for the generated types.
import type { components } from './schema';

type Schemas = components['schemas'];

export type Account = Schemas['Account'];
export type AccountBody = Schemas['AccountBody'];
export type Attachment = Schemas['Attachment'];
export type AvailableBudget = Schemas['AvailableBudget'];
export type Bill = Schemas['Bill'];
export type BillBody = Schemas['BillBody'];
export type Budget = Schemas['Budget'];
export type BudgetLimit = Schemas['BudgetLimit'];
export type Category = Schemas['Category'];
export type Change = Schemas['Change'];
export type Currency = Schemas['Currency'];
export type ImportCounts = Schemas['ImportCountsShown'];
export type ImportFinding = Schemas['FindingShown'];
export type ImportJob = Schemas['ImportJob'];
export type ImportJobBody = Schemas['ImportJobBody'];
export type ImportOptions = Schemas['OptionsBody'];
export type ImportPreviewRow = Schemas['ImportPreviewRow'];
export type Pagination = Schemas['Pagination'];
export type PiggyBank = Schemas['PiggyBank'];
export type Preference = Schemas['Preference'];
export type Recurrence = Schemas['Recurrence'];
export type RecurrenceBody = Schemas['RecurrenceBody'];
export type Tag = Schemas['Tag'];
export type Transaction = Schemas['Transaction'] & { attributes: { refund?: boolean } };
export type TransactionBody = Schemas['TransactionBody'];
export type UserQuotas = Schemas['UserQuotas'];
export type SplitBody = Schemas['SplitBody'] & { refund?: boolean };
