// The metrics of a process as Prometheus would read them.
import type { Service } from '../../tools/stack.ts'

type Sample = { name: string; labels: Record<string, string>; value: number }

const LINE = /^([a-z_:0-9]+)(?:\{([^}]*)\})? (\S+)$/i

export async function readSamples({ internalUrl }: Pick<Service, 'internalUrl'>) {
  const text = await fetch(`${internalUrl}/metrics`).then((response) => response.text())
  return text.split('\n').flatMap((line): Sample[] => {
    const [, name, labels = '', value] = LINE.exec(line) ?? []
    return name === undefined ? [] : [{ name, labels: readLabels(labels), value: Number(value) }]
  })
}

/** The sum of all series with these labels, or undefined if there is none. */
export async function readMetric(
  service: Pick<Service, 'internalUrl'>,
  name: string,
  labels: Record<string, string> = {},
): Promise<number | undefined> {
  const found = (await readSamples(service)).filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0)
}

function readLabels(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const [, label, value] = /^([a-z_]+)="(.*)"$/i.exec(pair) ?? []
      return label === undefined || value === undefined ? [] : [[label, value]]
    }),
  )
}
