import { expect, test } from 'vitest';
import { readProof } from './proof';

test('a report becomes facts and tables, every amount as it was written', () => {
  const proof = readProof({
    sha256: 'ab12',
    is_equal: false,
    counts: { transactions: { source: 12, here: 11 }, bills: { source: 1, here: 1 } },
    balances: [
      { account: 'Checking', on: '2024-01-31', source: '90071992547409931.23', here: '90071992547409931.23' },
      { account: 'Checking', on: '2024-02-29', source: '1.10', here: '1.00', rows: [7, 9] },
    ],
    differences: [],
  });

  expect(proof.facts).toEqual([
    { name: 'Sha256', value: 'ab12' },
    { name: 'Is equal', value: '✗' },
  ]);
  expect(proof.tables).toEqual([
    {
      title: 'Counts',
      columns: ['', 'Source', 'Here'],
      rows: [
        ['Transactions', '12', '11'],
        ['Bills', '1', '1'],
      ],
    },
    {
      title: 'Balances',
      columns: ['Account', 'On', 'Source', 'Here', 'Rows'],
      rows: [
        ['Checking', '2024-01-31', '90071992547409931.23', '90071992547409931.23', ''],
        ['Checking', '2024-02-29', '1.10', '1.00', '7, 9'],
      ],
    },
  ]);
});

test('plain counts are a table of two columns', () => {
  expect(readProof({ counts: { accounts: 3 } }).tables).toEqual([
    { title: 'Counts', columns: [], rows: [['Accounts', '3']] },
  ]);
});
