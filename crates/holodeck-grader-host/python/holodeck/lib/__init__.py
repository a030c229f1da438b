"""Where graders written for the Python HoloDeck look."""
