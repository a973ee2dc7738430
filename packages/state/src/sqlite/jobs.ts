import { endJob, leaseJob, newJob } from '@tripline/model/job'
import type { Job } from '@tripline/model/job'
import type { Kysely } from 'kysely'
import type { JobStore } from '../ports/job-store.ts'
import { inTransaction } from './query/database.ts'
import { takeIntact } from './query/row-checksums.ts'
import type { JobRow, Tables } from './rows/tables.ts'

/** Stores jobs. A corrupted row is none: the job begins anew. */
export function jobStore(db: Kysely<Tables>): JobStore {
  const changeHeld = (name: string, owner: string, change: (job: Job) => Job): Promise<boolean> =>
    inTransaction(db, async (db) => {
      const job = await findJob(db, name)
      if (job?.lease?.owner !== owner) return false
      await save(db, change(job))
      return true
    })
  return {
    async list() {
      return takeIntact('jobs', await db.selectFrom('jobs').selectAll().orderBy('name').execute()).map(parseJobRow)
    },
    lease: (name, terms) =>
      inTransaction(db, async (db) => {
        const { job, isLeased } = leaseJob(await findJob(db, name) ?? newJob(name, terms), terms)
        await save(db, job)
        return isLeased ? job : undefined
      }),
    renew: (name, lease) => changeHeld(name, lease.owner, (job) => ({ ...job, lease })),
    end: (name, owner, end) => changeHeld(name, owner, (job) => endJob(job, end)),
  }
}

async function findJob(db: Kysely<Tables>, name: string): Promise<Job | undefined> {
  const [row] = takeIntact('jobs', await db.selectFrom('jobs').selectAll().where('name', '=', name).execute())
  return row && parseJobRow(row)
}

async function save(db: Kysely<Tables>, job: Job): Promise<void> {
  const { name, ...change } = toJobRow(job)
  await db.insertInto('jobs').values({ name, ...change }).onConflict((conflict) => conflict.column('name').doUpdateSet(change)).execute()
}

function parseJobRow({ owner, leasedUntil, lastSuccessAt, lastError, ...row }: JobRow): Job {
  return {
    ...row, lease: owner === null ? undefined : { owner, until: leasedUntil },
    lastSuccessAt: lastSuccessAt ?? undefined, lastError: lastError ?? undefined,
  }
}

function toJobRow({ lease, lastSuccessAt, lastError, ...job }: Job): JobRow {
  return {
    ...job, owner: lease?.owner ?? null, leasedUntil: lease?.until ?? 0, lastSuccessAt: lastSuccessAt ?? null, lastError: lastError ?? null,
  }
}
