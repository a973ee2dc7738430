import { useCallback, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useMay } from '../../../api/use-may.ts'
import { PageHead } from '../../../frame/page-head.tsx'
import { RowList } from '../../../frame/row-list.tsx'
import { useRowKeys } from '../../../frame/use-row-keys.ts'
import { useUrlState } from '../../../frame/use-url-state.ts'
import { t } from '../../../i18n/translate.ts'
import { useKeys } from '../../../lib/keys.ts'
import { textParameter, wordListParameter } from '../../../lib/url-state.ts'
import { Button } from '../../../ui/button.tsx'
import { Toggle, ToggleGroup, toggleWord } from '../../../ui/filters/toggle.tsx'
import { Plus } from '../../../ui/icons.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { ConnectorViews } from '../connector-views.tsx'
import styles from '../connectors-page.module.css'
import { listCollectorColumns } from './collector-columns.tsx'
import { CollectorPanel } from './collector-panel.tsx'
import { useCollectors } from './collector-queries.ts'
import { NewCollectorDialog } from './new-collector-dialog.tsx'

const statuses = ['online', 'degraded', 'offline', 'pending', 'retired'] as const

const parameters = {
  status: wordListParameter(statuses),
  /** The collector whose panel is open. */
  collector: textParameter,
}

const nothing: readonly never[] = []

/** The agents on other machines: whether each is heard, what it reads and sends, and a token for a new one. */
export function CollectorsPage(): ReactNode {
  const mayEdit = useMay('edit_connectors')
  const [{ status, collector: openId }, setUrl] = useUrlState(parameters)
  const query = useCollectors(status?.join())
  const rows = query.data ?? nothing
  const [isAdding, setIsAdding] = useState(false)
  const columns = useMemo(() => listCollectorColumns(), [])
  const onOpen = useCallback((id: string, isReplacing: boolean) => setUrl({ collector: id }, { isReplacing }), [setUrl])
  const close = (): void => setUrl({ collector: undefined })
  const { handle, current, open } = useRowKeys({ rows, openId, onOpen, onClose: close })
  useKeys(mayEdit ? [{ keys: 'n', label: t('collectors.new'), run: () => setIsAdding(true) }] : [])
  return (
    <>
      <PageHead title={t('collectors.title')}>
        {mayEdit && <Button kind="primary" icon={Plus} keys="n" onClick={() => setIsAdding(true)}>{t('collectors.new')}</Button>}
      </PageHead>
      <ConnectorViews current="collectors" />
      <div className={styles['bar']}>
        <ToggleGroup label={t('connectors.column.status')}>
          {statuses.map((one) => (
            <Toggle key={one} isOn={status?.includes(one) === true} onToggle={() => setUrl({ status: toggleWord(statuses, status, one) })}>
              {t(`collectors.status.${one}`)}
            </Toggle>
          ))}
        </ToggleGroup>
        <span className={styles['summary']}>{query.isSuccess && t('collectors.count', { count: rows.length })}</span>
      </div>
      <RowList
        ref={handle}
        query={query}
        name="collectors"
        label={t('collectors.title')}
        columns={columns}
        rows={rows}
        total={rows.length}
        current={current}
        onOpen={open}
        empty={
          <StateMessage title={t(status === undefined ? 'collectors.none' : 'collectors.noneFiltered')}>
            {mayEdit && status === undefined && <Button onClick={() => setIsAdding(true)}>{t('collectors.new')}</Button>}
          </StateMessage>
        }
      >
        {openId !== undefined && <CollectorPanel key={openId} id={openId} mayEdit={mayEdit} onClose={close} />}
      </RowList>
      {isAdding && <NewCollectorDialog onClose={() => setIsAdding(false)} />}
    </>
  )
}
