import { useState } from 'react'
import type { ReactNode } from 'react'
import { Button, Kbd } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { AgeCell, DueCell, TextCell } from '../ui/entries/cell.tsx'
import { CommentForm, CommentList } from '../ui/entries/comments.tsx'
import { Facts } from '../ui/entries/facts.tsx'
import { NewPill } from '../ui/entries/new-pill.tsx'
import { ExplainTree } from '../ui/explain-tree.tsx'
import { FieldList } from '../ui/field-list.tsx'
import { TextArea } from '../ui/field.tsx'
import { FacetMenu } from '../ui/filters/facet-menu.tsx'
import { FilterChip } from '../ui/filters/filter-chip.tsx'
import { SearchField } from '../ui/filters/search-field.tsx'
import { Toggle, ToggleGroup } from '../ui/filters/toggle.tsx'
import { ValueForm } from '../ui/filters/value-form.tsx'
import { CheckBox } from '../ui/forms/check-box.tsx'
import { Question } from '../ui/forms/question.tsx'
import { useTask } from '../ui/forms/use-task.ts'
import { LineChart } from '../ui/charts/line-chart.tsx'
import { Skeleton } from '../ui/loading/skeleton.tsx'
import { Table } from '../ui/table.tsx'
import type { Column } from '../ui/table.tsx'
import styles from './components-page.module.css'

type Row = { readonly id: string; readonly name: string; readonly count: number }

const rows: readonly Row[] = Array.from({ length: 200 }, (_, index) => ({ id: `r${index}`, name: `Row ${index}`, count: index * 7 }))
const columns: readonly Column<Row, 'name' | 'count'>[] = [
  { id: 'name', title: 'Name', width: 'minmax(0, 2fr)', sort: 'name', render: ({ name }) => <TextCell text={name} isStrong /> },
  { id: 'none', title: 'Empty', width: '80px', render: () => <TextCell text="" /> },
  { id: 'count', title: 'Count', width: '80px', isNumber: true, sort: 'count', render: ({ count }) => count },
]
const now = Date.UTC(2026, 10, 22)
const times = Array.from({ length: 60 }, (_, index) => now + index * 60_000)
const event = { Image: 'C:\\Tools\\tool.exe', CommandLine: 'tool.exe /run', User: 'EXAMPLE\\a.meier', nested: { field: 'value' } }
const marks = new Map([['Image', '\\tool.exe']])
const printCount = (value: number): string => String(Math.round(value))

const sampleValues = [{ value: 'wks-1', label: 'wks-1', count: 3 }, { value: 'wks-2', label: 'wks-2' }]

/** Components with something to hold: lists, charts, trees, forms and questions. */
export function MoreSamples(): ReactNode {
  const [open, setOpen] = useState<'dialog' | 'question'>()
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set(['r1']))
  const [isOn, setIsOn] = useState(true)
  const task = useTask()
  const close = (): void => setOpen(undefined)
  return (
    <div className={styles['samples']}>
      <div className={styles['row']}>
        <SearchField label="Search" keyLabel="Search" value="" onChange={() => undefined} />
        <ToggleGroup label="Toggles">
          <Toggle isOn={isOn} onToggle={() => setIsOn(!isOn)}>On</Toggle>
          <Toggle isOn={!isOn} onToggle={() => setIsOn(!isOn)}>Off</Toggle>
        </ToggleGroup>
        <FilterChip name="Host" value="wks-1" editLabel="Change it" removeLabel="Remove the filter Host" onRemove={() => undefined}>
          {(hide) => <ValueForm label="Host" values={sampleValues} chosen={['wks-1']} onChoose={hide} onType={hide} />}
        </FilterChip>
        <FacetMenu label="Filter" useFacets={useSampleFacets} onChoose={() => undefined} />
        <CheckBox label="A box" isOn={isOn} onChange={setIsOn} />
        <Kbd keys="Mod+k" />
        <Button onClick={() => setOpen('dialog')}>Dialog</Button>
        <Button onClick={() => setOpen('question')}>Question</Button>
      </div>
      <NewPill count={12} onShow={() => undefined} />
      <div className={styles['table']}>
        <Table
          name="samples"
          label="Rows"
          columns={columns}
          rows={rows}
          getId={({ id }) => id}
          total={rows.length}
          rowHeight={34}
          sort={{ field: 'count', direction: 'desc' }}
          onSort={() => undefined}
          current="r2"
          checked={checked}
          onCheck={({ id }) => setChecked(new Set([id]))}
          isDimmed={({ id }) => id === 'r3'}
        />
      </div>
      <LineChart
        label="A chart"
        times={times}
        lines={[{ label: 'One', values: times.map((_, index) => index % 9) }, { label: 'Two', values: times.map((_, index) => index % 5) }]}
        format={printCount}
      />
      <ExplainTree
        node={{
          node: 'and', result: false, children: [
            { op: 'endswith', field: 'Image', pattern: '\\tool.exe', actual: event.Image, result: true, reason: 'matches' },
            { op: 'eq', field: 'User', pattern: 'SYSTEM', actual: event.User, result: false, reason: 'differs' },
          ],
        }}
      />
      <FieldList event={event} marked={marks} />
      <Facts facts={[['Name', 'Value'], ['Empty, left out', '']]} />
      <div className={styles['row']}>
        <AgeCell at={new Date(now).toISOString()} />
        {(['on_track', 'overdue', 'met', 'missed'] as const).map((state) => (
          <DueCell key={state} sla={{ due_at: new Date(now).toISOString(), state }} />
        ))}
      </div>
      <CommentList comments={[{ id: '1', author: 'ana@example.com', content: 'A comment', created_at: new Date(now).toISOString() }]} />
      <CommentForm ref={null} onSend={() => Promise.resolve(true)} />
      <TextArea label="A text" hint="A hint" />
      <Skeleton lines={3} />
      {open === 'dialog' && <Dialog title="A dialog" onClose={close}><p>What it says.</p></Dialog>}
      {open === 'question' && (
        <Question title="A question" text="What cannot be taken back." confirm="Do it" task={task} onConfirm={close} onClose={close} />
      )}
    </div>
  )
}

const sampleFacets = [{
  name: 'host', title: 'Host', distinct: 2, values: [{ value: 'a', label: 'wks-1', count: 7 }, { value: 'b', label: 'wks-2', count: 3 }],
}]

function useSampleFacets() {
  return { data: sampleFacets, error: null, refetch: () => undefined }
}
