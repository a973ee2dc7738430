/** A text in both languages of the product. */
export type LocalText = { readonly en: string; readonly ko: string }

/** One control, criterion, article or practice of a framework. */
type Control = { readonly id: string; readonly category: LocalText; readonly title: LocalText }

/**
 * Who stands behind a catalogue's statuses: `attested` when controls that no signal measures can be answered by people only,
 * `machine` when signals answer all of them.
 */
type Verification = 'attested' | 'machine'

type CatalogueHead = {
  readonly token: string
  readonly name: string
  readonly version: string
  readonly verification: Verification
  /** How many controls there are: stated apart, so that a row that is missing is noticed. */
  readonly total: number
}

/** A framework with its controls in the framework's order. */
export type Catalogue = CatalogueHead & { readonly controls: readonly Control[] }

/**
 * Reads a catalogue of rows `id | English | Korean` under categories `# English | Korean`. Throws if a row has another form, an
 * id comes twice, or there are not as many controls as stated.
 */
export function readCatalogue(head: CatalogueHead, text: string): Catalogue {
  const controls = new Map<string, Control>()
  let category: LocalText | undefined
  for (const line of text.trim().split('\n')) {
    const cells = line.replace(/^# /, '').split(' | ')
    if (line.startsWith('# ')) {
      category = createText(cells, line)
      continue
    }
    const [id, ...titles] = cells
    if (id === undefined || category === undefined) throw new Error(`${head.token}: a row before its category: ${line}`)
    if (controls.has(id)) throw new Error(`${head.token}: ${id} comes twice`)
    controls.set(id, { id, category, title: createText(titles, line) })
  }
  if (controls.size !== head.total) throw new Error(`${head.token}: ${controls.size} controls instead of ${head.total}`)
  return { ...head, controls: [...controls.values()] }
}

function createText([en, ko, ...rest]: readonly string[], line: string): LocalText {
  if (en === undefined || ko === undefined || rest.length > 0) throw new Error(`a row needs two titles: ${line}`)
  return { en, ko }
}
