import { clients, parents, programs, words } from './programs.ts'
import type { Program } from './programs.ts'
import { RandomNumbers, UniqueNumbers } from './random.ts'

/** A value that templates are filled to: JSON. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue }

/** A process of an event: what its template is filled with is the same in all fields of the event. */
type ProcessValues = { readonly program: Program; readonly image: string; readonly company: string; readonly createCommandLine: string }

const services: readonly string[] = ['NT AUTHORITY\\SYSTEM', 'NT AUTHORITY\\NETWORK SERVICE']

const servicePorts: readonly string[] = ['443', '443', '443', '443', '443', '443', '80', '80', '445', '135']

const domains: readonly string[] = [
  '{token}.{word}.example.net', '{word}-{token}.cdn.example.com', '{hex8}.{token}.edge.example.org', '{peer}.corp.example',
]

const uris: readonly string[] = [
  '/{word}/{token}.js?v={number}', '/api/v2/{word}/{guid}', '/{word}/{word}-{token}.png', '/collect?id={token}&t={number}',
]

const files: readonly string[] = [
  '{userFolder}\\Cache\\Cache_Data\\f_{token}', '{userFolder}\\{word}\\{guid}.tmp', '{userFolder}\\Temp\\{token}.log',
  '{programFolder}\\{word}.{token}.dat',
  'C:\\Windows\\Prefetch\\{word}-{hex8}.pf', 'C:\\Windows\\Temp\\{word}{token}.etl',
  'C:\\ProgramData\\{word}\\{token}\\state-{number}.json',
  'C:\\Users\\{user}\\Documents\\{word} {token}.docx', 'C:\\Users\\{user}\\Downloads\\{word}-{version}.zip',
  'C:\\Windows\\SoftwareDistribution\\Download\\{hex32}\\{word}.cab',
]

const loadedImages: readonly { readonly weight: number; readonly path: string }[] = [
  ...[
    'ntdll', 'kernel32', 'KernelBase', 'user32', 'advapi32', 'rpcrt4', 'combase', 'ws2_32', 'crypt32', 'shell32', 'ole32', 'bcrypt',
    'sechost', 'msvcrt', 'gdi32', 'uxtheme',
  ].map((name) => ({ weight: 40, path: `C:\\Windows\\System32\\${name}.dll` })),
  { weight: 200, path: '{programFolder}\\{word}{token}.dll' },
  { weight: 100, path: 'C:\\Windows\\assembly\\NativeImages_v4.0.30319_64\\{word}\\{hex32}\\{word}.ni.dll' },
  { weight: 60, path: '{userFolder}\\{version}\\{word}.{token}.dll' },
]

const registryKeys: readonly string[] = [
  'HKU\\S-1-5-21-{sidTail}\\Software\\Microsoft\\Windows\\CurrentVersion\\Explorer\\UserAssist\\{braced}\\Count\\{word}{token}',
  'HKLM\\System\\CurrentControlSet\\Services\\{word}Svc_{token}\\Start',
  'HKLM\\System\\CurrentControlSet\\Services\\bam\\State\\UserSettings\\S-1-5-21-{sidTail}\\{word}',
  'HKCR\\CLSID\\{braced}\\InprocServer32\\(Default)',
  'HKU\\S-1-5-21-{sidTail}\\Software\\{word}\\{word}\\{token}',
  'HKLM\\SOFTWARE\\WOW6432Node\\{word}\\Update\\ClientState\\{braced}\\{word}',
  'HKLM\\System\\CurrentControlSet\\Services\\Tcpip\\Parameters\\Interfaces\\{braced}\\LeaseObtainedTime',
]

const details: readonly string[] = [
  'DWORD (0x{hex8})', 'QWORD (0x{hex8}-0x{hex8})', 'Binary Data', '{file}', '{version}', '{word} {token}', '(Empty)',
]

const scripts: readonly string[] = [
  'function Get-{word}{token} {\n  param([string]$Name = "{word}", [int]$Count = {number})\n  $items = '
    + 'Get-ChildItem -Path "{programFolder}" -Filter *.json | Select-Object -First $Count\n  foreach '
    + '($item in $items) { Write-Output "$Name $($item.FullName)" }\n}\nGet-{word}{token}',
  '$session = "{guid}"\n$result = (Get-{word}Status -Name {word}{token} -Session $session).Status\nif '
    + '($result -ne "Running") { Write-Warning "{word} {number}" }',
  'Import-Module {word}.{token}\nSet-{word}Setting -Identity "{user}" -Value {number} -Confirm:$false',
  '{ $_.Id -eq {number} -and $_.Name -like "{word}*" }',
]

const unixCommands: readonly string[] = [
  '/usr/bin/python3 /opt/{word}/{token}.py --job {number}', '/usr/sbin/logrotate /etc/logrotate.d/{word}-{token}',
  'sh -c cat /var/lib/{word}/{token} | wc -l',
  '/usr/bin/ssh {user}@{peer} uptime', '/usr/bin/docker exec {hex32} /bin/{word} {number}', '/usr/bin/find /srv/{word}/{token} -mtime +7',
]

/**
 * Values of a fleet's events. GUIDs, hashes, pids, ports, times, names of users, hosts, files and domains, registry
 * paths and command lines are new each time; paths of common programs, dlls and keys come again.
 */
export class FleetValues {
  readonly #random: RandomNumbers
  readonly #tokens: UniqueNumbers
  readonly #processIds: UniqueNumbers
  readonly #ports: UniqueNumbers
  #timeMs: number
  #process: ProcessValues | undefined
  #parent: ProcessValues | undefined
  #host = ''
  #user = ''

  constructor(seed: number, startsAtMs: number) {
    this.#random = new RandomNumbers(seed)
    this.#tokens = new UniqueNumbers(30, seed)
    this.#processIds = new UniqueNumbers(20, seed + 1)
    this.#ports = new UniqueNumbers(14, seed + 2)
    this.#timeMs = startsAtMs
  }

  get random(): RandomNumbers {
    return this.#random
  }

  /** Begins the next event: some milliseconds later, on another host, by another user. */
  beginEvent(): void {
    this.#timeMs += 1 + this.#random.below(40)
    this.#process = undefined
    this.#parent = undefined
    this.#host = `${this.#random.pick(['LT', 'WS', 'VDI', 'SRV'])}-${this.#token().toUpperCase()}`
    this.#user = `${this.#random.pick(words).toLowerCase()}.${this.#token()}`
  }

  get time(): string {
    return new Date(this.#timeMs).toISOString()
  }

  get host(): string {
    return this.#host
  }

  /**
   * Fills a template: each `{name}` becomes a value of that name, and a text that is only `{#name}` the same as a
   * number. Lists and objects are filled element by element, in their order.
   */
  fill(template: JsonValue): JsonValue {
    if (typeof template === 'string') {
      return template.startsWith('{#') ? Number(this.fillText(`{${template.slice(2)}`)) : this.fillText(template)
    }
    if (template === null || typeof template !== 'object') return template
    if (Array.isArray(template)) return template.map((item: JsonValue) => this.fill(item))
    return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, this.fill(value)]))
  }

  fillText(template: string): string {
    return template.includes('{') ? template.replaceAll(/\{(\w+)\}/g, (_, name: string) => this.#make(name)) : template
  }

  #make(name: string): string {
    const maker = this.#makers[name]
    if (maker === undefined) throw new Error(`a template names '${name}', which no value has; add it to the makers of values`)
    return maker()
  }

  readonly #makers: { readonly [name: string]: () => string } = {
    guid: () => this.#guid(),
    braced: () => `{${this.#guid()}}`,
    hex5: () => this.#hex(5),
    hex8: () => this.#hex(8),
    hex32: () => this.#hex(32),
    hex40: () => this.#hex(40),
    md5: () => this.#hex(32).toUpperCase(),
    sha1: () => this.#hex(40).toUpperCase(),
    sha256: () => this.#hex(64).toUpperCase(),
    token: () => this.#token(),
    word: () => this.#random.pick(words),
    number: () => String(1_000_000 + this.#tokens.next()),
    version: () => `${1 + this.#random.below(130)}.${this.#random.below(10)}.${this.#random.below(20_000)}.${this.#random.below(1_000)}`,
    pid: () => String(this.#processId()),
    hexPid: () => `0x${this.#processId().toString(16)}`,
    port: () => String(49_152 + this.#ports.next()),
    logonId: () => `0x${this.#hex(8).replace(/^0+/, '')}`,
    sidTail: () => `${this.#tokens.next()}-${this.#tokens.next()}-${this.#tokens.next()}-${1_000 + this.#random.below(90_000)}`,
    time: () => this.time,
    seconds: () => (this.#timeMs / 1_000).toFixed(6),
    utcTime: () => this.time.replace('T', ' ').replace('Z', ''),
    earlier: () => new Date(this.#timeMs - this.#tokens.next()).toISOString().replace('T', ' ').replace('Z', ''),
    host: () => this.#host,
    peer: () => `${this.#random.pick(words).toLowerCase()}-${this.#token()}`,
    user: () => this.#user,
    account: () => this.#account(),
    domain: () => this.#domain(),
    privateIp: () => `10.${this.#random.below(256)}.${this.#random.below(256)}.${1 + this.#random.below(254)}`,
    publicIp: () => `${20 + this.#random.below(180)}.${this.#random.below(256)}.${this.#random.below(256)}.${1 + this.#random.below(254)}`,
    servicePort: () => this.#random.pick(servicePorts),
    image: () => this.#processValues().image,
    clientImage: () => (this.#process ??= this.#start(this.#random.pickWeighted(clients))).image,
    createCommandLine: () => this.#processValues().createCommandLine,
    company: () => this.#processValues().company,
    fileOfImage: () => fileName(this.#processValues().image),
    wordOfImage: () => fileName(this.#processValues().image).replace(/\.\w+$/, ''),
    parentImage: () => this.#parentValues().image,
    parentCommandLine: () => this.#parentValues().createCommandLine,
    userFolder: () => `C:\\Users\\${this.#user}\\AppData\\Local\\${this.#random.pick(words)}`,
    programFolder: () => `C:\\Program Files\\${this.#random.pick(words)}\\${this.#token()}`,
    file: () => this.fillText(this.#random.pick(files)),
    loadedImage: () => this.fillText(this.#random.pickWeighted(loadedImages).path),
    registryKey: () => this.fillText(this.#random.pick(registryKeys)),
    details: () => this.fillText(this.#random.pick(details)),
    address: () => `+${this.#hex(5)}`,
    script: () => this.fillText(this.#random.pick(scripts)),
    unixCommand: () => this.fillText(this.#random.pick(unixCommands)),
    uri: () => this.fillText(this.#random.pick(uris)),
  }

  #processValues(): ProcessValues {
    return (this.#process ??= this.#start(this.#random.pickWeighted(programs)))
  }

  #parentValues(): ProcessValues {
    return (this.#parent ??= this.#start(parents.get(this.#random.pick(this.#processValues().program.startedBy))!))
  }

  #start(program: Program): ProcessValues {
    const image = this.fillText(program.image)
    const rest = this.fillText(this.#random.pick(program.arguments))
    const createCommandLine = image.includes(' ') ? `"${image}" ${rest}` : `${image} ${rest}`
    return { program, image, company: this.fillText(program.company ?? '-'), createCommandLine }
  }

  /** In a third of the events a service acts, else a person. */
  #account(): string {
    return this.#random.below(3) === 0 ? this.#random.pick(services) : `CORP\\${this.#user}`
  }

  #domain(): string {
    return this.fillText(this.#random.pick(domains)).toLowerCase()
  }

  #processId(): number {
    return 4 * (this.#processIds.next() + 100)
  }

  #guid(): string {
    const hex = this.#hex(32)
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  }

  #hex(length: number): string {
    let hex = ''
    while (hex.length < length) hex += this.#random.next().toString(16).padStart(8, '0')
    return hex.slice(0, length)
  }

  /** Six letters and digits that did not come before. */
  #token(): string {
    return this.#tokens.next().toString(36).padStart(6, 'q')
  }
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('\\') + 1)
}
