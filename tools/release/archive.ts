// Packs one directory as a reproducible .tar.gz: sorted, without this machine's owners and times.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { basename, dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'

export async function packTree(tree: string, file: string, seconds: number): Promise<void> {
  const from = [`--directory=${dirname(tree)}`, basename(tree)]
  const tar = spawn('tar', [...optionsFor(seconds), ...from], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gzip = spawn('gzip', ['--no-name', '--stdout'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = Promise.all([tar, gzip].map((child) => once(child, 'exit')))
  await Promise.all([
    pipeline(tar.stdout, gzip.stdin),
    pipeline(gzip.stdout, createWriteStream(file)),
  ])
  const codes = (await ended).map(([code]) => code as number)
  if (codes.some((code) => code !== 0)) throw new Error(`tar and gzip ended with ${codes}.`)
}

/** Packs the directory's content, uncompressed. */
export function packPlain(directory: string, file: string, seconds: number): void {
  const from = [`--file=${file}`, `--directory=${directory}`, '.']
  execFileSync('tar', [...optionsFor(seconds), ...from])
}

function optionsFor(seconds: number): string[] {
  return [
    '--create',
    '--format=gnu',
    '--sort=name',
    `--mtime=@${seconds}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u+rwX,go+rX,go-w',
  ]
}
