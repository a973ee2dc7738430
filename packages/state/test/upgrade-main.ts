/** Upgrades a database and kills itself after so many statements: `node upgrade-main.ts <path> <count>`. */
import { migrate } from '../src/migrations/migrate.ts'
import { openDatabase } from '../src/sqlite/query/database.ts'
import { upgrade } from './upgrade.ts'

const [path = '', count = '1'] = process.argv.slice(2)
let left = Number(count)
const database = openDatabase({
  path,
  onStatement: () => {
    left--
    if (left === 0) process.kill(process.pid, 'SIGKILL')
  },
})
await migrate(database, upgrade)
await database.db.destroy()
