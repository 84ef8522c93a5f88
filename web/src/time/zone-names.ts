// The current names of time zones that browsers still list by an older one.

// biome-ignore format: a table is read by its columns
const CURRENT: Readonly<Record<string, string>> = {
  'Africa/Asmera':         'Africa/Asmara',
  'America/Buenos_Aires':  'America/Argentina/Buenos_Aires',
  'America/Catamarca':     'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba':       'America/Argentina/Cordoba',
  'America/Godthab':       'America/Nuuk',
  'America/Indianapolis':  'America/Indiana/Indianapolis',
  'America/Jujuy':         'America/Argentina/Jujuy',
  'America/Louisville':    'America/Kentucky/Louisville',
  'America/Mendoza':       'America/Argentina/Mendoza',
  'Asia/Calcutta':         'Asia/Kolkata',
  'Asia/Katmandu':         'Asia/Kathmandu',
  'Asia/Rangoon':          'Asia/Yangon',
  'Asia/Saigon':           'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe':       'Atlantic/Faroe',
  'Europe/Kiev':           'Europe/Kyiv',
  'Pacific/Enderbury':     'Pacific/Kanton',
  'Pacific/Ponape':        'Pacific/Pohnpei',
  'Pacific/Truk':          'Pacific/Chuuk',
}

export const currentZoneName = (zone: string): string => CURRENT[zone] ?? zone

/** `Kolkata (Asia)`: the city first, because a select is searched by how its options begin. */
export function zoneLabel(zone: string): string {
  const parts = currentZoneName(zone).replaceAll('_', ' ').split('/')
  const city = parts.at(-1) ?? zone
  return parts.length === 1 ? city : `${city} (${parts.slice(0, -1).join('/')})`
}
