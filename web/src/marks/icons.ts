// The icons of categories, by the word that the API has for each.
import ShoppingBasket from '@lucide/svelte/icons/shopping-basket';
import ShoppingCart from '@lucide/svelte/icons/shopping-cart';
import Utensils from '@lucide/svelte/icons/utensils';
import Coffee from '@lucide/svelte/icons/coffee';
import Wine from '@lucide/svelte/icons/wine';
import House from '@lucide/svelte/icons/house';
import KeyRound from '@lucide/svelte/icons/key-round';
import Lamp from '@lucide/svelte/icons/lamp';
import Droplet from '@lucide/svelte/icons/droplet';
import Flame from '@lucide/svelte/icons/flame';
import Wifi from '@lucide/svelte/icons/wifi';
import Smartphone from '@lucide/svelte/icons/smartphone';
import Car from '@lucide/svelte/icons/car';
import Fuel from '@lucide/svelte/icons/fuel';
import Bus from '@lucide/svelte/icons/bus';
import TrainFront from '@lucide/svelte/icons/train-front';
import Bike from '@lucide/svelte/icons/bike';
import Plane from '@lucide/svelte/icons/plane';
import Bed from '@lucide/svelte/icons/bed';
import HeartPulse from '@lucide/svelte/icons/heart-pulse';
import Pill from '@lucide/svelte/icons/pill';
import Baby from '@lucide/svelte/icons/baby';
import GraduationCap from '@lucide/svelte/icons/graduation-cap';
import BookOpen from '@lucide/svelte/icons/book-open';
import Music from '@lucide/svelte/icons/music';
import Film from '@lucide/svelte/icons/film';
import Gamepad2 from '@lucide/svelte/icons/gamepad-2';
import Ticket from '@lucide/svelte/icons/ticket';
import Gift from '@lucide/svelte/icons/gift';
import Shirt from '@lucide/svelte/icons/shirt';
import Scissors from '@lucide/svelte/icons/scissors';
import Sofa from '@lucide/svelte/icons/sofa';
import Wrench from '@lucide/svelte/icons/wrench';
import PawPrint from '@lucide/svelte/icons/paw-print';
import Leaf from '@lucide/svelte/icons/leaf';
import Dumbbell from '@lucide/svelte/icons/dumbbell';
import Briefcase from '@lucide/svelte/icons/briefcase';
import Coins from '@lucide/svelte/icons/coins';
import PiggyBank from '@lucide/svelte/icons/piggy-bank';
import Landmark from '@lucide/svelte/icons/landmark';
import Receipt from '@lucide/svelte/icons/receipt';
import Shield from '@lucide/svelte/icons/shield';
import Umbrella from '@lucide/svelte/icons/umbrella';
import HandHeart from '@lucide/svelte/icons/hand-heart';
import Laptop from '@lucide/svelte/icons/laptop';
import Camera from '@lucide/svelte/icons/camera';
import Star from '@lucide/svelte/icons/star';
import CircleQuestionMark from '@lucide/svelte/icons/circle-question-mark';
import type { Component } from 'svelte';

export const ICONS: Record<string, Component> = {
  basket: ShoppingBasket,
  cart: ShoppingCart,
  meal: Utensils,
  coffee: Coffee,
  drink: Wine,
  house: House,
  key: KeyRound,
  lamp: Lamp,
  water: Droplet,
  heat: Flame,
  wifi: Wifi,
  phone: Smartphone,
  car: Car,
  fuel: Fuel,
  bus: Bus,
  train: TrainFront,
  bike: Bike,
  plane: Plane,
  bed: Bed,
  heart: HeartPulse,
  pill: Pill,
  baby: Baby,
  school: GraduationCap,
  book: BookOpen,
  music: Music,
  film: Film,
  game: Gamepad2,
  ticket: Ticket,
  gift: Gift,
  shirt: Shirt,
  scissors: Scissors,
  sofa: Sofa,
  tool: Wrench,
  pet: PawPrint,
  plant: Leaf,
  sport: Dumbbell,
  work: Briefcase,
  coins: Coins,
  savings: PiggyBank,
  bank: Landmark,
  receipt: Receipt,
  shield: Shield,
  umbrella: Umbrella,
  hands: HandHeart,
  laptop: Laptop,
  camera: Camera,
  star: Star,
  question: CircleQuestionMark,
};

export const COLOURS = [
  'red',
  'orange',
  'amber',
  'lime',
  'green',
  'teal',
  'sky',
  'blue',
  'violet',
  'purple',
  'pink',
  'brown',
] as const;
