import { Link } from '@tanstack/react-router'
import type { PlaybookBody, PlaybookRunBody } from '@tripline/contract/console/response/playbook'
import type { ReactNode } from 'react'
import { t } from '../../../i18n/translate.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import { Pill } from '../../../ui/badge.tsx'
import type { Tone } from '../../../ui/badge.tsx'
import { ErrorMessage } from '../../../ui/state-message.tsx'
import styles from '../forms.module.css'
import { PlainTable, Section, Time } from '../parts.tsx'
import { useList } from '../settings-queries.ts'

type RunList = { readonly runs: readonly PlaybookRunBody[] }

const tones: { readonly [status in PlaybookRunBody['status']]: Tone } = { pending: 'accent', succeeded: 'ok', failed: 'bad' }

/** The last runs of a playbook, each with its steps and what came of them. */
export function PlaybookRuns({ playbook: { id, name } }: { readonly playbook: PlaybookBody }): ReactNode {
  const { data, error, refetch } = useList<RunList>('runs', `/v1/playbooks/${encodeURIComponent(id)}/runs`, { limit: '50' }, id)
  return (
    <Section title={t('automation.runsOf', { name: toVisibleText(name) })}>
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data?.runs.length === 0 && <p className={styles['note']}>{t('automation.runs.none')}</p>}
      {data !== undefined && data.runs.length > 0 && (
        <PlainTable
          label={t('automation.runsOf', { name: toVisibleText(name) })}
          heads={[t('automation.run.at'), t('automation.run.about'), t('automation.run.by'), t('settings.state'), t('automation.steps')]}
        >
          {data.runs.map((run) => (
            <tr key={run.id}>
              <td><Time at={run.created_at} /></td>
              <td>
                <Link to={run.subject === 'alert' ? '/alerts/$id' : '/incidents/$id'} params={{ id: run.subject_id } as never}>
                  {t(`automation.subject.${run.subject}`)}
                </Link>
              </td>
              <td>{run.requested_by === null ? t('automation.run.itself') : toVisibleText(run.requested_by)}</td>
              <td><Pill tone={tones[run.status]}>{t(`automation.run.${run.status}`)}</Pill></td>
              <td>
                <ol>
                  {run.steps.map((step, index) => <li key={index}>{toVisibleText(printStep(step))}</li>)}
                </ol>
              </td>
            </tr>
          ))}
        </PlainTable>
      )}
    </Section>
  )
}

const stepTypes = ['comment', 'set_status', 'assign', 'tag_asset', 'webhook', 'notify'] as const

function printStep({ type, status, result }: PlaybookRunBody['steps'][number]): string {
  const known = stepTypes.find((one) => one === type)
  const name = known === undefined ? type : t(`automation.step.${known}`)
  return t('automation.run.step', { type: name, status: t(`automation.run.${status}`), result })
}
