-- Whose import brought a currency; null for those that are built in, or that the owner of the installation made.
-- Not a reference: it stays when that user is deleted, so that the currency is not listed to everybody then.
ALTER TABLE currencies ADD COLUMN brought_by {int};
