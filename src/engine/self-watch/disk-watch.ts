// Measures how full the file systems visible to this process are.
import { statfs } from 'node:fs/promises'
import type { ConditionFinding } from '../../domain/operating/condition.ts'
import { isBeyond } from '../../domain/operating/self-watch.ts'

export type DiskUse = { path: string; usedBytes: number; totalBytes: number }

/** Counts like df: space reserved for root is not free. Undefined if unknown. */
export async function readDiskUse(path: string): Promise<DiskUse | undefined> {
  try {
    const { blocks, bfree, bavail, bsize } = await statfs(path)
    const usedBytes = (blocks - bfree) * bsize
    return { path, usedBytes, totalBytes: usedBytes + bavail * bsize }
  } catch {
    // A missing path says nothing about a disk.
    return undefined
  }
}

export function diskFindings(
  disks: readonly DiskUse[],
  watermarkPercent: number,
): ConditionFinding[] {
  return disks
    .filter(({ usedBytes, totalBytes }) => isBeyond(usedBytes, totalBytes, watermarkPercent))
    .map(({ path, usedBytes, totalBytes }) => ({
      code: 'DISK_FILLING',
      subject: path,
      message: `The disk of ${path} is ${Math.floor((usedBytes * 100) / totalBytes)}% full`,
    }))
}
