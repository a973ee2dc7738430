import { compileQuery } from '@tripline/query'

const search = compileQuery(String.raw`Image:*\whoami.exe and not User:system`)
const events = [{ Image: 'C:\\Windows\\whoami.exe', User: 'alice' }, { Image: 'C:\\Windows\\whoami.exe', User: 'SYSTEM' }]
console.log(search.text, search.findRows(events))
