// What a folder says about each of its pages.
import type { Component } from 'svelte';

// The component receives the named parts of the pattern as properties.
export interface Page {
  pattern: string;
  title: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each page has its own properties
  load: () => Promise<{ default: Component<any> }>;
}
