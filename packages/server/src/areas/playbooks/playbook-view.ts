import type { PlaybookBody, PlaybookRunBody } from '@tripline/contract/console/response/playbook'
import type { Playbook, PlaybookRun } from '@tripline/model/playbooks/playbook'
import { formatTimestamp } from '../../http/format-timestamp.ts'

export function printPlaybook(playbook: Playbook): PlaybookBody {
  const { id, name, description, subject, isAutomatic, filter, steps, isEnabled, runsTotal, lastRunAt, createdAt, updatedAt } = playbook
  return {
    id, name, description, subject, trigger: isAutomatic ? 'match' : 'manual',
    // It was stored as it was sent, after it had been parsed.
    filter: filter === '' ? null : JSON.parse(filter) as PlaybookBody['filter'],
    // The contract's words of statuses were checked when it was saved.
    steps: steps as PlaybookBody['steps'],
    enabled: isEnabled, runs_total: runsTotal, last_run_at: lastRunAt === undefined ? null : formatTimestamp(lastRunAt),
    created_at: formatTimestamp(createdAt), updated_at: formatTimestamp(updatedAt),
  }
}

export function printRun(run: PlaybookRun): PlaybookRunBody {
  const { playbookId, playbookName, subjectId, requestedBy, records, createdAt, finishedAt } = run
  return {
    id: run.id, playbook_id: playbookId, playbook_name: playbookName, subject: run.subject, subject_id: subjectId,
    requested_by: requestedBy === '' ? null : requestedBy, status: run.status,
    steps: records.map(({ type, status, at, result }) => ({ type, status, at: at === undefined ? null : formatTimestamp(at), result })),
    created_at: formatTimestamp(createdAt), finished_at: finishedAt === undefined ? null : formatTimestamp(finishedAt),
  }
}
