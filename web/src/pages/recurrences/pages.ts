// Which pages are in this folder?
import type { Page } from '../index';

export const pages: Page[] = [];
