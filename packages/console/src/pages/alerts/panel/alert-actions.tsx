import { Link, useNavigate } from '@tanstack/react-router'
import type { AlertBody } from '@tripline/contract/console/alert'
import type { ReactNode } from 'react'
import { useMay } from '../../../api/use-may.ts'
import { usePlaybooks } from '../../../frame/playbooks/use-playbooks.ts'
import { t } from '../../../i18n/translate.ts'
import { Button, buttonLink, IconButton } from '../../../ui/button.tsx'
import { CircleCheck, CircleX, Ellipsis, Eye, FilterX, IncidentsIcon, Play, RulesIcon, UserCheck } from '../../../ui/icons.tsx'
import { Menu } from '../../../ui/menu.tsx'
import type { TriageAction } from '../triage.ts'
import styles from './alert-actions.module.css'

type AlertActionsProps = {
  readonly alert: AlertBody
  readonly onAct: (action: TriageAction) => void
  readonly onAssign: () => void
  readonly onNewIncident: () => void
  readonly onExcept: (() => void) | undefined
}

/** What can be done about an alert: two lines beside the list at 1280 pixels, as what is done seldom stands in a menu. */
export function AlertActions({ alert, onAct, onAssign, onNewIncident, onExcept }: AlertActionsProps): ReactNode {
  const { id, status, incident_id: incident } = alert
  return (
    <div className={styles['actions']}>
      <Button kind="primary" icon={Eye} keys="i" disabled={status === 'investigating'} onClick={() => onAct('investigate')}>
        {t('alerts.action.investigate')}
      </Button>
      <Button icon={CircleCheck} keys="r" disabled={status === 'resolved'} onClick={() => onAct('resolve')}>
        {t('alerts.action.resolve')}
      </Button>
      <Button icon={CircleX} keys="f" disabled={status === 'false_positive'} onClick={() => onAct('falsePositive')}>
        {t('alerts.action.falsePositive')}
      </Button>
      {onExcept !== undefined && (
        <Button kind="ghost" icon={FilterX} keys="e" onClick={onExcept}>
          {t('alerts.exception.new')}
        </Button>
      )}
      <Button kind="ghost" icon={UserCheck} keys="a" onClick={() => onAct('assignToMe')}>
        {t('alerts.action.assignToMe')}
      </Button>
      {incident === null ? (
        <Button kind="ghost" icon={IncidentsIcon} keys="n" onClick={onNewIncident}>
          {t('alerts.incident.new')}
        </Button>
      ) : (
        <Link to="/incidents" search={{ incident }} className={buttonLink}>
          <IncidentsIcon size={14} aria-hidden /> {t('alerts.incident.of')}
        </Link>
      )}
      <MoreActions id={id} onAssign={onAssign} />
    </div>
  )
}

function MoreActions({ id, onAssign }: { readonly id: string; readonly onAssign: () => void }): ReactNode {
  const mayEditRules = useMay('edit_rules')
  const navigate = useNavigate()
  const playbooks = usePlaybooks('alert', id)
  const createRule = (): void => void navigate({ to: '/rules/$id', params: { id: 'new' }, search: { from_alert: id } })
  return (
    <Menu
      label={t('alerts.action.more')}
      align="end"
      button={(target) => <IconButton icon={Ellipsis} label={t('alerts.action.more')} {...target} />}
      items={[
        { label: t('alerts.assign'), icon: UserCheck, keys: 'Shift+a', run: onAssign },
        ...(mayEditRules ? [{ label: t('alerts.rule.new'), icon: RulesIcon, run: createRule }] : []),
        ...playbooks.map((item, index) => ({ ...item, icon: Play, ...(index === 0 && { group: t('playbooks.run') }) })),
      ]}
    />
  )
}
