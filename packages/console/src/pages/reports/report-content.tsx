import type { ReportContentBody } from '@tripline/contract/console/response/report'
import type { ReactNode } from 'react'
import { printNumber } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import styles from './report-content.module.css'

type Block = ReportContentBody['sections'][number]['blocks'][number]

/** A report in the look of the page: the same sections, figures and tables as its file. */
export function ReportContent({ content: { language, subtitle, sections } }: { readonly content: ReportContentBody }): ReactNode {
  return (
    // Focusable: without a control in it, keys could not scroll it.
    <article className={styles['report']} lang={language} tabIndex={0}>
      {subtitle.map((line) => (
        <p key={line} className={styles['subtitle']}>
          {toVisibleText(line)}
        </p>
      ))}
      {sections.map(({ title, blocks }) => (
        <section key={title} className={styles['section']}>
          <h4 className={styles['title']}>{toVisibleText(title)}</h4>
          {blocks.map((block, at) => (
            <ContentBlock key={`${block.kind} ${at}`} block={block} />
          ))}
        </section>
      ))}
    </article>
  )
}

function ContentBlock({ block }: { readonly block: Block }): ReactNode {
  switch (block.kind) {
    case 'text':
      return <p>{toVisibleText(block.text)}</p>
    case 'figures':
      return (
        <dl className={styles['figures']}>
          {block.figures.map(({ label, value }) => (
            <div key={label} className={styles['figure']}>
              <dt>{toVisibleText(label)}</dt>
              <dd>{toVisibleText(value)}</dd>
            </div>
          ))}
        </dl>
      )
    case 'bar':
      return <Shares counts={block.shares} label={block.label} />
    case 'columns':
      return <Shares counts={block.columns} label={block.label} />
    case 'table':
      return (
        <table className={styles['table']}>
          <thead>
            <tr>
              {block.columns.map(({ title }) => (
                <th key={title} scope="col">
                  {toVisibleText(title)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {block.rows.map((cells, row) => (
              <tr key={`${row} ${cells[0] ?? ''}`}>
                {cells.map((cell, column) => (
                  <td key={block.columns[column]?.title ?? column}>{toVisibleText(cell)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )
  }
}

type Counts = readonly { readonly label: string; readonly count: number; readonly color?: string }[]

/** Counts as lines with a bar each, the longest for the largest. */
function Shares({ label, counts }: { readonly label: string; readonly counts: Counts }): ReactNode {
  const largest = Math.max(1, ...counts.map(({ count }) => count))
  return (
    <figure className={styles['shares']}>
      <figcaption>{toVisibleText(label)}</figcaption>
      <ul>
        {counts.map(({ label: name, count, color }) => (
          <li key={name} className={styles['share']}>
            <span>{toVisibleText(name)}</span>
            <span className={styles['track']} aria-hidden>
              <span className={styles['bar']} style={{ width: `${(100 * count) / largest}%`, background: color }} />
            </span>
            <span className={styles['count']}>{printNumber(count)}</span>
          </li>
        ))}
      </ul>
    </figure>
  )
}
