import { Link } from '@tanstack/react-router'
import type { AssetBody } from '@tripline/contract/console/enrichment/asset'
import type { AssetTimelineBody } from '@tripline/contract/console/enrichment/asset-activity'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { isOutdated } from '../../api/change-versioned.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { readForm, splitList } from '../../lib/read-form.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { SeverityLabel, severities } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { AgeCell } from '../../ui/entries/cell.tsx'
import { Facts } from '../../ui/entries/facts.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { X } from '../../ui/icons.tsx'
import { PanelSection, SidePanel } from '../../ui/side-panel.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { showToast } from '../../ui/toast-store.ts'
import { ActivityLanes } from './activity-lanes.tsx'
import { BlindSpots, isRated, nameAsset } from './asset-columns.tsx'
import { AssetDetections } from './asset-detections.tsx'
import { AssetFindings } from './asset-findings.tsx'
import styles from './asset-panel.module.css'
import { AssetRisks } from './asset-risks.tsx'
import { criticalities } from './asset-url.ts'
import { changeAsset, printStatements, useAsset, useAssetBindings, useAssetTimeline } from './asset-queries.ts'

type AssetPanelProps = { readonly id: string; readonly mayEdit: boolean; readonly onClose: () => void }

/** Everything about one asset, beside the list: risk and what it asks for, owner, what happened, and its names over time. */
export function AssetPanel({ id, mayEdit, onClose }: AssetPanelProps): ReactNode {
  const { data, error, isError, refetch } = useAsset(id)
  const asset = data?.asset
  return (
    <SidePanel
      label={asset === undefined ? t('assets.asset') : nameAsset(asset)}
      head={
        <>
          <div className={styles['line']}>
            {asset !== undefined && isRated(asset) && <SeverityLabel severity={asset.risk_level} />}
            {asset !== undefined && <BlindSpots spots={asset.blind_spots} />}
            <span className={styles['space']} />
            <IconButton icon={X} label={t('close')} onClick={onClose} />
          </div>
          <h2 className={styles['title']}>{asset !== undefined && toVisibleText(nameAsset(asset))}</h2>
        </>
      }
    >
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {asset !== undefined && (
        <>
          <Risk asset={asset} />
          <PanelSection title={t('assets.section.people')}>
            {mayEdit ? <EditForm key={printStatements(asset)} asset={asset} /> : <People asset={asset} />}
          </PanelSection>
          <AssetRisks id={id} />
          <AssetFindings id={id} />
          <AssetDetections id={id} />
          <Activity id={id} />
          <Bindings id={id} />
        </>
      )}
    </SidePanel>
  )
}

function Risk({ asset }: { readonly asset: AssetBody }): ReactNode {
  const { vulnerabilities: { critical, high, medium, low, exploitable }, due_at: due, hostname } = asset
  return (
    <PanelSection title={t('assets.section.risk')}>
      <Facts
        facts={[
          [t('assets.fact.score'), isRated(asset) ? printNumber(asset.risk_score) : t('assets.notScanned')],
          [t('assets.fact.action'), critical + high + medium + low === 0 ? '' : t(`assets.action.${asset.risk_action}`)],
          [t('assets.fact.due'), due === null ? '' : printTime(due)],
          [
            t('assets.fact.findings'),
            asset.last_scan_at === null ? t('assets.notScanned') : t('assets.allFindings', { critical, high, medium, low, exploitable }),
          ],
          [t('assets.fact.type'), [t(`assets.type.${asset.type}`), asset.os].filter(Boolean).join(' · ')],
          [t('assets.fact.addresses'), [...asset.ip_addresses, ...asset.mac_addresses].join(', ')],
          [t('assets.fact.lastLog'), asset.last_log_at === null ? t('assets.never') : printTime(asset.last_log_at)],
          [t('assets.fact.lastScan'), asset.last_scan_at === null ? t('assets.never') : printTime(asset.last_scan_at)],
          [t('assets.fact.sources'), asset.sources.join(', ')],
        ]}
      />
      <p className={styles['links']}>
        <Link to="/alerts" search={{ host: hostname, status: 'open,investigating', from: '-90d' } as never}>
          {t('assets.alerts', { count: asset.open_alerts })}
        </Link>
        <Link to="/search" search={{ q: `host:"${hostname}"`, from: '-24h' } as never}>{t('assets.events')}</Link>
      </p>
    </PanelSection>
  )
}

function People({ asset: { owner, criticality, tags } }: { readonly asset: AssetBody }): ReactNode {
  return (
    <Facts
      facts={[
        [t('assets.column.owner'), owner],
        [t('assets.column.criticality'), t(`assets.criticality.${criticality}`)],
        [t('assets.tags'), tags.join(', ')],
      ]}
    />
  )
}

function EditForm({ asset }: { readonly asset: AssetBody }): ReactNode {
  const [criticality, setCriticality] = useState(asset.criticality)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const save = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    const tags = splitList(read('tags'))
    setIsBusy(true)
    setProblem(undefined)
    try {
      await changeAsset(asset, { owner: read('owner').trim(), criticality, tags })
      showToast({ kind: 'notice', text: t('assets.saved') })
    } catch (error) {
      // The form shows what the other user set from now on: its own line would be gone.
      const problemText = getErrorText(error)
      if (isOutdated(error)) showToast({ kind: 'error', text: t('assets.failed', { name: nameAsset(asset), problem: problemText }) })
      else setProblem(problemText)
    }
    setIsBusy(false)
  }
  return (
    <form className={styles['form']} onSubmit={(event) => void save(event)}>
      <Select
        label={t('assets.column.criticality')}
        value={criticality}
        options={criticalities.map((value) => ({ value, label: t(`assets.criticality.${value}`) }))}
        onChange={setCriticality}
      />
      <Field label={t('assets.column.owner')} name="owner" defaultValue={asset.owner} />
      <Field label={t('assets.tags')} name="tags" defaultValue={asset.tags.join(', ')} hint={t('assets.tagsHint')} error={problem} />
      <Button type="submit" isBusy={isBusy}>{t('save')}</Button>
    </form>
  )
}

function Activity({ id }: { readonly id: string }): ReactNode {
  const { data, error, isError, refetch } = useAssetTimeline(id)
  return (
    <PanelSection title={t('assets.section.activity')}>
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data?.timeline.length === 0 && <p className={styles['text']}>{t('assets.noActivity')}</p>}
      {data !== undefined && <ActivityLanes entries={data.timeline} />}
      <ol className={styles['timeline']}>
        {data?.timeline.map((entry, index) => <ActivityEntry key={index} entry={entry} />)}
      </ol>
    </PanelSection>
  )
}

function ActivityEntry({ entry: { at, kind, title, severity, ref, count } }: {
  readonly entry: AssetTimelineBody['timeline'][number]
}): ReactNode {
  const known = severities.find((one) => one === severity)
  return (
    <li className={styles['entry']} data-kind={kind}>
      <span className={styles['kind']}>{t(`assets.kind.${kind}`)}</span>
      <span className={styles['what']}>
        {known !== undefined && <SeverityLabel severity={known} />}{' '}
        {kind === 'alert' && ref !== null
          ? <Link to="/alerts" search={{ alert: ref } as never}>{toVisibleText(title)}</Link>
          : toVisibleText(title)}
        {count > 1 && <span className={styles['count']}> {t('assets.times', { count: printNumber(count) })}</span>}
      </span>
      <AgeCell at={at} />
    </li>
  )
}

function Bindings({ id }: { readonly id: string }): ReactNode {
  const { data, error, isError, refetch } = useAssetBindings(id)
  return (
    <PanelSection title={t('assets.section.bindings')}>
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      <ul className={styles['timeline']}>
        {data?.bindings.map(({ kind, value, source, last_seen: at }) => (
          <li key={`${kind} ${value} ${source}`} className={styles['entry']}>
            <span className={styles['kind']}>{t(`assets.binding.${kind}`)}</span>
            <code className={styles['what']}>{toVisibleText(value)}</code>
            <AgeCell at={at} />
          </li>
        ))}
      </ul>
    </PanelSection>
  )
}
