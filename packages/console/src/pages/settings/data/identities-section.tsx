import { Link } from '@tanstack/react-router'
import type { IdentityBody } from '@tripline/contract/console/enrichment/identity'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { getErrorText } from '../../../api/api-error.ts'
import { callApi } from '../../../api/client.ts'
import { useMay } from '../../../api/use-may.ts'
import { t } from '../../../i18n/translate.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import { CheckBox } from '../../../ui/forms/check-box.tsx'
import { showToast } from '../../../ui/toast-store.ts'
import { Time } from '../parts.tsx'
import { RecordsSection } from './records-section.tsx'
import type { RecordKind } from './records-section.tsx'

/** The users of the directory, who events are about: which of them are privileged, and how many alerts name them. */
export function IdentitiesSection(): ReactNode {
  const mayEdit = useMay('edit_connectors')
  const kind = useMemo<RecordKind<IdentityBody>>(() => ({
    name: 'identities',
    heads: [t('settings.name'), t('data.department'), t('data.privileged'), t('data.alerts'), t('data.seen')],
    nameOf: ({ name }) => name,
    example: 'name,email,department,is_privileged',
    cells: ({ id, name, department, is_privileged: isPrivileged, open_alerts: alerts, last_seen: seen }, refresh) => [
      toVisibleText(name),
      toVisibleText(department),
      mayEdit
        ? <Privileged key={id} id={id} name={name} stored={isPrivileged} refresh={refresh} />
        : t(isPrivileged ? 'data.yes' : 'data.no'),
      alerts === 0 ? t('data.openAlerts', { count: alerts }) : (
        <Link key="alerts" to="/alerts" search={{ user: name, status: 'open,investigating', from: '-90d' } as never}>
          {t('data.openAlerts', { count: alerts })}
        </Link>
      ),
      <Time key="seen" at={seen} />,
    ],
  }), [mayEdit])
  return <RecordsSection kind={kind} />
}

type PrivilegedProps = {
  readonly id: string
  readonly name: string
  readonly stored: boolean
  readonly refresh: () => Promise<void>
}

/** Whether a person is privileged: changed at once, and back where the server refuses. */
function Privileged({ id, name, stored, refresh }: PrivilegedProps): ReactNode {
  const [chosen, setChosen] = useState<boolean>()
  const change = async (next: boolean): Promise<void> => {
    setChosen(next)
    try {
      await callApi(`/v1/identities/${encodeURIComponent(id)}`, { method: 'PUT', body: { is_privileged: next } })
      showToast({ kind: 'notice', text: t('settings.saved') })
    } catch (error) {
      showToast({ kind: 'error', text: getErrorText(error) })
    }
    await refresh()
    setChosen(undefined)
  }
  return (
    <CheckBox
      label={t('data.privilegedOne', { name: toVisibleText(name) })}
      isLabelHidden
      isOn={chosen ?? stored}
      onChange={(next) => void change(next)}
    />
  )
}
