import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { ApiError } from '../api/api-error.ts'
import { useCommands } from '../frame/commands.ts'
import { PageHead } from '../frame/page-head.tsx'
import { Pill, SeverityLabel, severities } from '../ui/badge.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Field, Select } from '../ui/field.tsx'
import type { Bar } from '../ui/charts/bars.ts'
import { Histogram } from '../ui/charts/histogram.tsx'
import { Copy, Plus } from '../ui/icons.tsx'
import { LongValue } from '../ui/long-value.tsx'
import { Menu } from '../ui/menu.tsx'
import { PanelSection, SidePanel } from '../ui/side-panel.tsx'
import { Sparkline } from '../ui/charts/sparkline.tsx'
import { ErrorMessage, StateMessage } from '../ui/state-message.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { showToast } from '../ui/toast-store.ts'
import styles from './components-page.module.css'
import { MoreSamples } from './more-samples.tsx'

const barMs = 1_200_000
const tabs = [
  { id: 'one', label: 'Tab one', count: '12' },
  { id: 'two', label: 'Tab two' },
] as const
const tones = ['accent', 'ok', 'warn', 'bad', 'neutral'] as const

/** Every component in each state, for development: `vite` serves it at `/dev/components`, the built console has no such page. */
export function ComponentsPage(): ReactNode {
  const [tab, setTab] = useState<'one' | 'two'>('one')
  const [choice, setChoice] = useState<'a' | 'b'>('a')
  const bars = useMemo<readonly Bar[]>(
    () =>
      Array.from({ length: 72 }, (_, index) => {
        const parts = { critical: index % 9 === 0 ? 2 : 0, high: index % 5, medium: (index * 7) % 6, low: index % 3 }
        return { at: Date.UTC(2026, 10, 22) + index * barMs, parts, count: parts.critical + parts.high + parts.medium + parts.low }
      }),
    [],
  )
  useCommands(useMemo(() => [{ label: 'Show a notice', run: () => showToast({ kind: 'notice', text: 'A notice' }) }], []))
  return (
    <>
      <PageHead title="Components" range={{}} onRange={() => undefined} />
      <Tabs
        label="Views"
        tabs={tabs}
        current={tab}
        onChoose={setTab}
        end={<Sparkline counts={bars.slice(0, 24).map(({ count }) => count)} />}
      />
      <Histogram bars={bars} barMs={barMs} onZoom={() => undefined} onZoomOut={() => undefined} />
      <div className={styles['columns']}>
        <div className={styles['samples']}>
          <div className={styles['row']}>
            <Button kind="primary" keys="i" onClick={() => showToast({ kind: 'notice', text: 'Done', undo: () => undefined })}>
              Primary
            </Button>
            <Button icon={Plus} onClick={() => showToast({ kind: 'error', text: 'Failed' })}>
              Normal
            </Button>
            <Button kind="ghost">Ghost</Button>
            <Button kind="danger">Danger</Button>
            <Button isBusy>Busy</Button>
            <Button disabled title="Why it is off">
              Disabled
            </Button>
            <Button isPressed>Pressed</Button>
            <IconButton icon={Copy} label="Copy" />
            <Menu
              label="Choices"
              button={(target) => <Button {...target}>Menu</Button>}
              items={[
                { label: 'First', run: () => undefined, isChecked: true },
                { label: 'Second', run: () => undefined, isChecked: false },
              ]}
            />
          </div>
          <div className={styles['row']}>
            {severities.map((severity) => (
              <SeverityLabel key={severity} severity={severity} />
            ))}
          </div>
          <div className={styles['row']}>
            {tones.map((tone) => (
              <Pill key={tone} tone={tone}>
                {tone}
              </Pill>
            ))}
          </div>
          <Field label="A field" hint="A hint" placeholder="Placeholder" />
          <Field label="A field with an error" error="What is wrong, and what to do" defaultValue="value" />
          <Select
            label="A choice"
            value={choice}
            options={[
              { value: 'a', label: 'One' },
              { value: 'b', label: 'Two' },
            ]}
            onChange={setChoice}
          />
          <StateMessage title="No alert matches these 3 filters" />
          <ErrorMessage
            error={new ApiError({ status: 500, code: 'INTERNAL_ERROR', message: 'internal error', requestId: 'req_1' })}
            onRetry={() => undefined}
          />
          <MoreSamples />
        </div>
        <SidePanel label="A panel" head={<h2>A panel</h2>} foot={<span>Foot</span>}>
          <PanelSection title="Values">
            <LongValue value={'<script>alert(1)</script> '.repeat(40)} marked="alert" />
          </PanelSection>
        </SidePanel>
      </div>
    </>
  )
}
