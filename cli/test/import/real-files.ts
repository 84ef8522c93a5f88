// Files in the real shape of every tool and version.
import { BETTERSTACK } from './files/betterstack.ts'
import type { RealFile } from './files/real-file.ts'
import { SELF_HOSTED } from './files/self-hosted.ts'
import { STATUSPAGE_FILES } from './files/statuspage.ts'
import { UPTIMEROBOT } from './files/uptimerobot.ts'

export const REAL_FILES: readonly RealFile[] = [
  ...SELF_HOSTED,
  ...UPTIMEROBOT,
  ...BETTERSTACK,
  ...STATUSPAGE_FILES,
]
