import { nodeFileSystem } from '@tripline/storage/disk/file-system'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { crashRules } from './requests.ts'
import { openTestState, openWorld } from './world.ts'
import type { World } from './world.ts'

/** The pipeline on the files of a folder, with many checkpoints and small files. */
export async function openKillWorld(folder: string): Promise<World> {
  await mkdir(folder, { recursive: true })
  const state = await openTestState(join(folder, 'state.db'))
  const sizes = { fileBytesMax: 40_000, commitFileBytesMax: 2_000 }
  return await openWorld({ disk: nodeFileSystem(folder), state, rules: crashRules, sizes, checkpointMs: 15, now: () => Date.now() })
}
