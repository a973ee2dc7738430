import type { ElementHandle, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { pressSequence } from '../press-keys.ts'

/** With what a person works: each flow is walked with both. */
export const inputs = ['mouse', 'keyboard'] as const
export type Input = (typeof inputs)[number]

/** What a person does, by mouse alone or by keyboard alone. Texts are typed with either. */
export type Hands = {
  readonly input: Input
  /** Presses a button or a link. */
  readonly press: (control: Locator) => Promise<void>
  /** Does what has a key: by mouse with its control. */
  readonly use: (keys: string, control: Locator) => Promise<void>
  /** Replaces the text of a field. */
  readonly write: (field: Locator, text: string) => Promise<void>
  /** Chooses an option of a field by its text. */
  readonly choose: (field: Locator, option: string) => Promise<void>
  /** Ticks or clears a check box. */
  readonly tick: (box: Locator) => Promise<void>
  /** Opens a menu and chooses one of its items. */
  readonly chooseItem: (button: Locator, item: Locator) => Promise<void>
  /** Opens the panel of a row of a list: by keyboard from the row that keys act on, downwards. */
  readonly openRow: (row: Locator) => Promise<void>
}

/** Elements that are passed at most on the way to one, from field to field. */
const stepsMax = 400
/** Steps after which the control is looked for again: at each it would take longer than all else. */
const lookSteps = 20
/** The browser forgets the letters of an option after a second. */
const typeAheadMs = 1_500

/** Makes the hands for a page. */
export function createHands(page: Page, input: Input): Hands {
  return input === 'mouse' ? createMouse(page) : createKeyboard(page)
}

function createMouse(page: Page): Hands {
  const click = async (control: Locator): Promise<void> => await control.click()
  return {
    input: 'mouse',
    press: click,
    use: async (_keys, control) => await click(control),
    write: async (field, text) => {
      await field.click()
      await field.fill(text)
    },
    choose: async (field, option) => void (await field.selectOption({ label: option })),
    tick: click,
    chooseItem: async (button, item) => {
      await click(button)
      await click(item)
    },
    openRow: async (row) => {
      await click(row)
      await page.getByRole('complementary').first().waitFor()
    },
  }
}

/** The element that a locator means now, once there is one. */
async function resolve(control: Locator): Promise<ElementHandle> {
  await control.waitFor()
  const element = await control.elementHandle()
  if (element === null) throw new Error(`${String(control)} is gone`)
  return element
}

function createKeyboard(page: Page): Hands {
  const { keyboard } = page
  /** Where the focus is, seen from an element; `indenting` where Tab indents, as in the editor of rules, until Escape is pressed. */
  const findFocus = async (element: ElementHandle): Promise<'here' | 'elsewhere' | 'indenting' | 'gone'> => await element.evaluate((node) => {
    if (!node.isConnected) return 'gone'
    // The editor of rules stands in a shadow root, which tells its own focus.
    if ((node.getRootNode() as Document | ShadowRoot).activeElement === node) return 'here'
    return document.activeElement?.shadowRoot?.activeElement?.getAttribute('contenteditable') === 'true' ? 'indenting' : 'elsewhere'
  })
  const isFocused = async (control: Locator): Promise<boolean> => (await findFocus(await resolve(control))) === 'here'
  /** Moves the focus as Tab does, from where it is, until a control has it. */
  const tabTo = async (control: Locator): Promise<void> => {
    let element = await resolve(control)
    for (let step = 1; step <= stepsMax; step++) {
      const focus = await findFocus(element)
      if (focus === 'here' && (await isFocused(control))) return
      if (focus === 'gone' || focus === 'here' || step % lookSteps === 0) element = await resolve(control)
      if (focus === 'gone') continue
      if (focus === 'indenting') await keyboard.press('Escape')
      await keyboard.press('Tab')
    }
    throw new Error(`Tab does not reach ${String(control)}`)
  }
  const press = async (control: Locator): Promise<void> => {
    await expect.poll(() => control.isEnabled()).toBe(true)
    await tabTo(control)
    await keyboard.press('Enter')
  }
  /** Keys of the page work outside of fields, which Escape leaves. */
  const leaveField = async (): Promise<void> => {
    const isField = await page.evaluate(() => /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? ''))
    if (isField) await keyboard.press('Escape')
  }
  return {
    input: 'keyboard',
    press,
    use: async (keys, control) => {
      // Its key works from then on, when the control is there.
      await control.waitFor()
      await leaveField()
      await pressSequence(page, keys)
    },
    write: async (field, text) => {
      await tabTo(field)
      await keyboard.press('Control+a')
      await keyboard.insertText(text)
    },
    choose: async (field, option) => {
      await tabTo(field)
      // The letters of an option choose it, as in every list of the browser; after a pause, as of a busy machine, they begin anew.
      await expect.poll(async () => {
        await keyboard.type(option)
        return await field.evaluate((list: HTMLSelectElement) => list.selectedOptions[0]?.label)
      }, { interval: typeAheadMs }).toBe(option)
    },
    tick: async (box) => {
      await tabTo(box)
      await keyboard.press('Space')
    },
    chooseItem: async (button, item) => {
      await press(button)
      await item.waitFor()
      for (let step = 0; step < stepsMax && !(await isFocused(item)); step++) await keyboard.press('ArrowDown')
      await keyboard.press('Enter')
    },
    openRow: async (row) => {
      await row.waitFor()
      await leaveField()
      for (let step = 0; step < stepsMax; step++) {
        await keyboard.press('j')
        if ((await row.getAttribute('aria-selected')) === 'true') break
      }
      await keyboard.press('Enter')
      await page.getByRole('complementary').first().waitFor()
    },
  }
}

/** Notes what a page is given: a flow by keyboard must not have used the mouse, and the other way round. */
export async function watchInputs(page: Page): Promise<{ readonly take: () => readonly Input[] }> {
  let used = new Set<Input>()
  await page.exposeBinding('noteInput', (_source, input: Input) => void used.add(input))
  await page.addInitScript(() => {
    const note = (input: string): void => (Reflect.get(window, 'noteInput') as (input: string) => void)(input)
    addEventListener('pointerdown', () => note('mouse'), true)
    addEventListener('keydown', () => note('keyboard'), true)
  })
  return {
    take: () => {
      const taken = [...used]
      used = new Set()
      return taken
    },
  }
}
