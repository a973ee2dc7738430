/** A program that a fleet runs: path and arguments are templates, see `FleetValues.fill`. */
export type Program = {
  readonly weight: number
  readonly image: string
  readonly arguments: readonly string[]
  readonly company?: string
  /** File names of those in `parents` that start it. */
  readonly startedBy: readonly [string, ...string[]]
  /** Whether it opens connections and asks for names. */
  readonly isClient?: true
}

const microsoft = 'Microsoft Corporation'
const system32 = String.raw`C:\Windows\System32`

/** Programs that start, with weights: a few common ones make most starts, as everywhere. */
export const programs: readonly Program[] = [
  {
    weight: 140, image: `${system32}\\svchost.exe`, company: microsoft, startedBy: ['services.exe'], isClient: true,
    arguments: ['-k netsvcs -p -s {word}{token}', '-k LocalServiceNetworkRestricted -p -s {word}_{hex5}'],
  },
  {
    weight: 110, image: `${system32}\\conhost.exe`, company: microsoft,
    startedBy: ['cmd.exe', 'powershell.exe', 'git.exe', 'node.exe', 'python.exe'],
    arguments: ['0x{hex8} -ForceV1', '--headless --signal 0x{hex5} --server 0x{hex8}'],
  },
  {
    weight: 70, image: `${system32}\\backgroundTaskHost.exe`, company: microsoft, startedBy: ['svchost.exe'], isClient: true,
    arguments: ['-ServerName:{word}.AppX{hex32}.mca'],
  },
  {
    weight: 60, image: `${system32}\\RuntimeBroker.exe`, company: microsoft, startedBy: ['svchost.exe'],
    arguments: ['-Embedding {guid}'],
  },
  {
    weight: 60, image: `${system32}\\taskhostw.exe`, company: microsoft, startedBy: ['svchost.exe'], isClient: true,
    arguments: ['{word}{token}', 'USER {guid}'],
  },
  {
    weight: 55, image: `${system32}\\SearchProtocolHost.exe`, company: microsoft, startedBy: ['SearchIndexer.exe'],
    arguments: ['Global\\UsGthrFltPipeMssGthrPipe_S-1-5-21-{sidTail}_ 1 {number} "{word}"'],
  },
  {
    weight: 45, image: `${system32}\\dllhost.exe`, company: microsoft, startedBy: ['svchost.exe'],
    arguments: ['/Processid:{guid}'],
  },
  {
    weight: 60, image: `${system32}\\cmd.exe`, company: microsoft, startedBy: ['explorer.exe', 'node.exe'],
    arguments: [
      '/c "{userFolder}\\{word}_{token}.cmd" {number}', '/d /s /c "npm run {word}:{token}"', '/c echo {word} > {userFolder}\\{token}.log',
    ],
  },
  {
    weight: 40,
    image: `${system32}\\WindowsPowerShell\\v1.0\\powershell.exe`,
    company: microsoft,
    startedBy: ['explorer.exe'],
    arguments: [
      '-NoProfile -ExecutionPolicy AllSigned -File "{programFolder}\\{word}-{token}.ps1" -Ticket {number}',
      '-NoLogo -NonInteractive -Command "Get-{word} -Id {number} -ComputerName {host}"',
    ],
  },
  {
    weight: 35, image: `${system32}\\wbem\\WmiPrvSE.exe`, company: microsoft, startedBy: ['svchost.exe'],
    arguments: ['-secured -Embedding -{token}'],
  },
  {
    weight: 30, image: `${system32}\\rundll32.exe`, company: microsoft, startedBy: ['explorer.exe', 'svchost.exe'],
    arguments: ['{programFolder}\\{word}{token}.dll,{word}Entry {number}'],
  },
  {
    weight: 20, image: `${system32}\\msiexec.exe`, company: microsoft, startedBy: ['services.exe', 'explorer.exe'],
    arguments: ['/V /{token}', '/i "{userFolder}\\{word}-{version}.msi" /qn /l {userFolder}\\{token}.log'],
  },
  {
    weight: 15, image: `${system32}\\schtasks.exe`, company: microsoft, startedBy: ['cmd.exe'],
    arguments: ['/Query /TN "\\{word}\\{word}-{token}" /FO CSV'],
  },
  {
    weight: 12, image: `${system32}\\reg.exe`, company: microsoft, startedBy: ['cmd.exe'],
    arguments: ['query "HKLM\\SOFTWARE\\{word}\\{token}" /v {word}'],
  },
  {
    weight: 10, image: `${system32}\\net.exe`, company: microsoft, startedBy: ['cmd.exe'],
    arguments: ['use \\\\{host}\\{word}$ /persistent:no', 'user {user} /domain'],
  },
  {
    weight: 8, image: `${system32}\\ipconfig.exe`, company: microsoft, startedBy: ['cmd.exe'],
    arguments: ['/renew {word}{token}'],
  },
  {
    weight: 4, image: `${system32}\\whoami.exe`, company: microsoft, startedBy: ['cmd.exe'],
    arguments: ['/user /fo csv /nh /{token}'],
  },
  {
    weight: 2, image: `${system32}\\certutil.exe`, company: microsoft, startedBy: ['cmd.exe'],
    arguments: ['-urlcache -split -f https://{domain}/{token}.bin {userFolder}\\{token}.bin', '-verify {userFolder}\\{token}.cer'],
  },
  {
    weight: 150, image: String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`, company: 'Google LLC',
    startedBy: ['chrome.exe', 'explorer.exe'], isClient: true,
    arguments: ['--type=renderer --lang=en-US --device-scale-factor=1 --num-raster-threads=4 '
      + '--renderer-client-id={number} --time-ticks-at-unix-epoch=-{number} --launch-time-ticks={number} '
      + '--field-trial-handle={number},i,{number},{number} /prefetch:{token}'],
  },
  {
    weight: 90, image: String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`, company: microsoft,
    startedBy: ['msedge.exe', 'explorer.exe'], isClient: true,
    arguments: ['--type=utility --utility-sub-type=network.mojom.NetworkService --lang=en-GB '
      + '--service-sandbox-type=none --field-trial-handle={number},{number} '
      + '--mojo-platform-channel-handle={number}', '--single-argument https://{domain}/{word}/{token}'],
  },
  {
    weight: 40, image: String.raw`C:\Program Files\Microsoft Office\root\Office16\OUTLOOK.EXE`, company: microsoft,
    startedBy: ['explorer.exe'],
    arguments: ['-Embedding {token}', '/eml "{userFolder}\\{word}_{token}.eml"'],
  },
  {
    weight: 30, image: String.raw`C:\Program Files\Microsoft Office\root\Office16\EXCEL.EXE`, company: microsoft,
    startedBy: ['explorer.exe', 'OUTLOOK.EXE'],
    arguments: ['"{userFolder}\\{word}_{token}.xlsx"'],
  },
  {
    weight: 35, image: String.raw`C:\Program Files\Git\cmd\git.exe`, company: 'The Git Development Community',
    startedBy: ['node.exe', 'explorer.exe'], isClient: true,
    arguments: ['-c core.quotepath=false rev-parse {hex40}', 'show {hex40}:{word}/{word}_{token}.ts'],
  },
  {
    weight: 25, image: String.raw`C:\Program Files\nodejs\node.exe`, company: 'Node.js', startedBy: ['cmd.exe', 'explorer.exe'],
    isClient: true,
    arguments: ['"{userFolder}\\{word}\\{token}\\server.js" --port {port}'],
  },
  {
    weight: 25, image: String.raw`C:\Program Files\Python312\python.exe`, company: 'Python Software Foundation', startedBy: ['cmd.exe'],
    arguments: ['-m {word}_{token} --batch {number} --out {userFolder}\\{token}.parquet'],
  },
  {
    weight: 15, image: String.raw`C:\ProgramData\Microsoft\Windows Defender\Platform\{version}\MpCmdRun.exe`, company: microsoft,
    startedBy: ['svchost.exe'], isClient: true,
    arguments: ['SignatureUpdate -ScheduleJob -RestrictPrivileges -{token}'],
  },
  {
    weight: 120, image: String.raw`C:\Program Files\{word}\{word}{token}\{word}.exe`, company: '{word} {word} Inc.',
    startedBy: ['explorer.exe', 'services.exe'], isClient: true,
    arguments: ['--session {guid} --channel {number}', '/background /id:{token}', '--config "{programFolder}\\{token}.json"'],
  },
  {
    weight: 50, image: String.raw`C:\Users\{user}\AppData\Local\Temp\{token}\{word}_{version}.exe`, company: '{word} Software',
    startedBy: ['explorer.exe'],
    arguments: ['/S /D="{programFolder}"', '--update {version} --pid {pid}'],
  },
]

/** Those that only start others: each event has a new command line of theirs, too. */
const starters: readonly Program[] = [
  { weight: 0, image: `${system32}\\services.exe`, company: microsoft, startedBy: ['services.exe'], arguments: ['{token}'] },
  {
    weight: 0, image: String.raw`C:\Windows\explorer.exe`, company: microsoft, startedBy: ['explorer.exe'],
    arguments: ['/factory,{guid} -Embedding'],
  },
  {
    weight: 0, image: `${system32}\\SearchIndexer.exe`, company: microsoft, startedBy: ['services.exe'],
    arguments: ['/Embedding {token}'],
  },
]

/** Programs that open connections. */
export const clients: readonly Program[] = programs.filter(({ isClient }) => isClient === true)

/** Programs that start others, by file name. */
export const parents: ReadonlyMap<string, Program> = new Map(
  [...starters, ...programs].map((program) => [program.image.slice(program.image.lastIndexOf('\\') + 1), program]),
)

/** Words that names are made of; none is a word that rules look for. */
export const words: readonly string[] = [
  'Aldora', 'Bramble', 'Cinder', 'Dovetail', 'Ember', 'Fjord', 'Granite', 'Harbour', 'Indigo', 'Juniper', 'Kestrel', 'Lantern',
  'Meridian', 'Nimbus', 'Orchard', 'Pinnacle', 'Quarry', 'Rowan', 'Saffron', 'Tamarind', 'Umber', 'Verdant', 'Willow', 'Yarrow',
  'Zephyr', 'Atlas', 'Beacon', 'Cobalt', 'Delta', 'Epsilon', 'Falcon', 'Glacier', 'Horizon', 'Island', 'Jasper', 'Krypton',
  'Lumen', 'Mosaic', 'Nebula', 'Opal', 'Prism', 'Quartz', 'Ripple', 'Summit', 'Topaz', 'Unity', 'Vector', 'Wander', 'Xenon', 'Zenith',
]
