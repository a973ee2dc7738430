import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lacksBrowser, openConsole, openPage } from '../open-console.ts'
import type { Console } from '../open-console.ts'
import { createHands, inputs, watchInputs } from './hands.ts'
import type { Hands, Input } from './hands.ts'
import { computeCode, stepMs } from './one-time-code.ts'

const password = 'a password of my own'
/** How long a code may take until the server has it. */
const sendMaxMs = 12_000

type Opened = { readonly page: Page; readonly context: BrowserContext; readonly hands: Hands; readonly takeUsed: () => readonly Input[] }

describe.skipIf(lacksBrowser)('the login, each by mouse and by keyboard', () => {
  let world: Console
  const problems: string[] = []

  beforeAll(async () => {
    world = await openConsole({})
  })
  afterAll(async () => await world?.close())

  /** The login page in a context of its own. */
  const open = async (input: Input): Promise<Opened> => {
    const watched = await openPage(world)
    const used = await watchInputs(watched.page)
    await watched.page.goto(world.origin)
    await watched.page.getByLabel('Email').waitFor()
    const takeUsed = (): readonly Input[] => {
      problems.push(...watched.problems)
      return used.take()
    }
    return { ...watched, hands: createHands(watched.page, input), takeUsed }
  }
  const logIn = async ({ page, hands }: Opened, email: string, given: string): Promise<void> => {
    await hands.write(page.getByLabel('Email'), email)
    await hands.write(page.getByLabel('Password', { exact: true }), given)
    await hands.press(page.getByRole('button', { name: 'Log in', exact: true }))
  }
  const isIn = async ({ page }: Opened): Promise<void> => await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  const addUser = async (email: string): Promise<string> => {
    type Added = { readonly one_time_password: string }
    return (await world.call<Added>('/v1/users', { method: 'POST', body: { email, name: 'Ann', roles: ['viewer'] } })).one_time_password
  }

  test.for(inputs)('by %s: a wrong password is refused without saying what was wrong, and a right one opens', async (input) => {
    const opened = await open(input)
    await logIn(opened, world.credentials.email, 'wrong password')
    await opened.page.getByText('Email, password or code is wrong.').waitFor()
    await logIn(opened, world.credentials.email, world.credentials.password)
    await isIn(opened)
    expect(opened.takeUsed()).toEqual([input])
    await opened.context.close()
  })

  test.for(inputs)('by %s: a one-time password asks for an own one, typed twice and long enough', async (input) => {
    const opened = await open(input)
    const { page, hands } = opened
    const email = `own-${input}@example.org`
    await logIn(opened, email, await addUser(email))
    await hands.write(page.getByLabel('New password', { exact: true }), password)
    await hands.write(page.getByLabel('New password, again'), `${password}?`)
    await hands.press(page.getByRole('button', { name: 'Log in', exact: true }))
    await page.getByRole('alert').getByText(/./).waitFor()
    await hands.write(page.getByLabel('New password, again'), password)
    await hands.press(page.getByRole('button', { name: 'Log in', exact: true }))
    await isIn(opened)
    expect(opened.takeUsed()).toEqual([input])
    await opened.context.close()
  })

  test.for(inputs)('by %s: a second factor is set up, asked for at the next login, and turned off', async (input) => {
    const opened = await open(input)
    const { page, hands, context } = opened
    const email = `factor-${input}@example.org`
    const given = await addUser(email)
    const body = JSON.stringify({ email, password: given, new_password: password })
    await fetch(`${world.origin}/v1/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    await logIn(opened, email, password)
    await isIn(opened)
    await page.goto(`${world.origin}/settings/account`)
    const section = page.getByRole('region', { name: 'Second factor' })
    await hands.press(section.getByRole('button', { name: 'Set up' }))
    const secret = (await section.locator('code').first().textContent()) ?? ''
    // Each code is taken once, and of a step of the clock those before and after too. The first of three uses takes the step before,
    // which is over with this one: there must be time left to send it.
    const readStep = (): number => Math.floor(Date.now() / stepMs)
    const readLeft = (): number => stepMs - Date.now() % stepMs
    while (readLeft() < sendMaxMs) await pause(readLeft())
    let step = readStep() - 1
    const change = async (button: string): Promise<void> => {
      await hands.write(section.getByLabel('Your password'), password)
      await hands.write(section.getByLabel('Code of the app'), computeCode(secret, step))
      await hands.press(section.getByRole('button', { name: button }))
    }
    const takeNextStep = (): void => void (step = Math.max(step + 1, readStep()))
    await change('Turn on')
    await section.getByText('On', { exact: true }).waitFor()
    await context.clearCookies()
    await page.goto(`${world.origin}/settings/account`)
    await logIn(opened, email, password)
    takeNextStep()
    await hands.write(page.getByLabel('Code of your authenticator app'), computeCode(secret, step))
    await hands.press(page.getByRole('button', { name: 'Log in', exact: true }))
    takeNextStep()
    await change('Turn off')
    await section.getByText('Off', { exact: true }).waitFor()
    expect(opened.takeUsed()).toEqual([input])
    await context.close()
  })

  test('nothing went wrong meanwhile', () => {
    expect(problems).toEqual([])
  })
})
