// How full the file systems are that this process can see.
import { statfs } from 'node:fs/promises'
import { isBeyond } from '../../domain/operating/self-watch.ts'
import type { TroubleFinding } from '../../domain/operating/trouble.ts'

export type DiskUse = { path: string; usedBytes: number; totalBytes: number }

/** As df counts: what only root may use is no free space. Undefined when it cannot be known. */
export async function readDiskUse(path: string): Promise<DiskUse | undefined> {
  try {
    const { blocks, bfree, bavail, bsize } = await statfs(path)
    const usedBytes = (blocks - bfree) * bsize
    return { path, usedBytes, totalBytes: usedBytes + bavail * bsize }
  } catch {
    // A path that is not there says nothing about a disk.
    return undefined
  }
}

export function diskFindings(
  disks: readonly DiskUse[],
  watermarkPercent: number,
): TroubleFinding[] {
  return disks
    .filter(({ usedBytes, totalBytes }) => isBeyond(usedBytes, totalBytes, watermarkPercent))
    .map(({ path, usedBytes, totalBytes }) => ({
      code: 'DISK_FILLING',
      subject: path,
      message: `The disk of ${path} is ${Math.floor((usedBytes * 100) / totalBytes)} % full`,
    }))
}
