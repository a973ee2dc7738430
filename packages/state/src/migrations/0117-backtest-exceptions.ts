import type { Migration } from './migrate.ts'

/** The exceptions that a backtest tries. */
export const backtestExceptions: Migration = {
  name: 'backtest exceptions',
  statements: ["alter table backtests add column exceptions text not null default '[]'"],
}
