/**
 * Ids that ATT&CK took back, with those that replaced them: sub-techniques came in version 7, and version 19 parted Defense Evasion.
 * Rules keep the ids of the day they were written.
 */
const successors: { readonly [former: string]: string } = {
  // Version 19, and the versions between.
  'T1053.001': 'T1053.002', 'T1070.001': 'T1685.005', 'T1070.002': 'T1685.006', 'T1547.011': 'T1647', 'T1562': 'T1685',
  'T1562.001': 'T1685', 'T1562.002': 'T1685.001', 'T1562.003': 'T1690', 'T1562.004': 'T1686', 'T1562.006': 'T1685',
  'T1562.007': 'T1686.001', 'T1562.008': 'T1685.002', 'T1562.009': 'T1688', 'T1562.010': 'T1689', 'T1562.011': 'T1685.003',
  'T1562.012': 'T1685.004', 'T1562.013': 'T1686.002', 'T1574.002': 'T1574.001', 'T1656': 'T1684.001', 'T1672': 'T1684.002',
  // Version 7, those that rules of its time name.
  T1004: 'T1547.004', T1009: 'T1027.001', T1013: 'T1547.010', T1015: 'T1546.008', T1023: 'T1547.009', T1028: 'T1021.006',
  T1031: 'T1543.003', T1035: 'T1569.002', T1038: 'T1574.001', T1042: 'T1546.001', T1045: 'T1027.002', T1050: 'T1543.003',
  T1060: 'T1547.001', T1073: 'T1574.001', T1075: 'T1550.002', T1076: 'T1021.001', T1077: 'T1021.002', T1081: 'T1552.001',
  T1084: 'T1546.003', T1085: 'T1218.011', T1086: 'T1059.001', T1088: 'T1548.002', T1089: 'T1685', T1093: 'T1055.012',
  T1096: 'T1564.004', T1097: 'T1550.003', T1099: 'T1070.006', T1100: 'T1505.003', T1101: 'T1547.005', T1103: 'T1546.010',
  T1107: 'T1070.004', T1116: 'T1553.002', T1117: 'T1218.010', T1118: 'T1218.004', T1121: 'T1218.009', T1122: 'T1546.015',
  T1126: 'T1070.005', T1128: 'T1546.007', T1130: 'T1553.004', T1131: 'T1547.002', T1138: 'T1546.011', T1142: 'T1555.001',
  T1145: 'T1552.004', T1146: 'T1070.003', T1158: 'T1564.001', T1170: 'T1218.005', T1171: 'T1557.001', T1173: 'T1559.002',
  T1180: 'T1546.002', T1182: 'T1546.009', T1183: 'T1546.012', T1191: 'T1218.003', T1192: 'T1566.002', T1193: 'T1566.001',
  T1194: 'T1566.003', T1196: 'T1218.002', T1208: 'T1558.003', T1214: 'T1552.002', T1215: 'T1547.006', T1223: 'T1218.001',
  T1483: 'T1568.002', T1487: 'T1561.002', T1488: 'T1561.001', T1500: 'T1027.004', T1501: 'T1543.002', T1502: 'T1134.004',
  T1503: 'T1555.003', T1504: 'T1546.013',
}

/** The id that ATT&CK gives a technique now: `T1685` for `T1562.001`; the same where it was never replaced. */
export function findCurrentTechnique(technique: string): string {
  return successors[technique] ?? technique
}

/**
 * The ids that a technique, in any case, and its sub-techniques have or had, its own first: `T1059` answers `T1086`, which is
 * `T1059.001` now.
 */
export function listTechniqueIds(technique: string): readonly string[] {
  const own = technique.toUpperCase()
  const former = Object.keys(successors).filter((id) => {
    const current = findCurrentTechnique(id)
    return current === own || current.startsWith(`${own}.`)
  })
  return [own, ...former]
}
